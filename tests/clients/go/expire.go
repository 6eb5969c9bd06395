package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applyv1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// More changes than the server keeps events for.
const missed = 17_000

// expire cuts informers off for so long that the events they missed are no longer kept: they get 410
// and list again.
func expire(ctx context.Context, config *rest.Config) error {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := perform(ctx, jobs(typed, untyped)[:30]); err != nil {
		return err
	}
	wire := &wire{}
	cuttable := rest.CopyConfig(config)
	cuttable.Dial = wire.dial
	followers, err := follow(ctx, cuttable)
	if err != nil {
		return err
	}
	before, err := typed.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	wire.cut(true)
	if err := races(ctx, typed, missed); err != nil {
		return err
	}
	wire.cut(false)
	for _, each := range followers {
		if err := each.agrees(ctx, untyped); err != nil {
			return err
		}
		fmt.Println(each.report())
	}
	return gone(ctx, typed, before.ResourceVersion)
}

// gone watches from a version whose events are no longer kept: the only event says so.
func gone(ctx context.Context, typed kubernetes.Interface, version string) error {
	watch, err := typed.CoreV1().ConfigMaps(namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: version})
	if err != nil {
		return err
	}
	defer watch.Stop()
	first := <-watch.ResultChan()
	if err := apierrors.FromObject(first.Object); first.Type != "ERROR" || !apierrors.IsResourceExpired(err) {
		return fmt.Errorf("a watch from %s begins with %s %v", version, first.Type, first.Object)
	}
	return nil
}

// contend lets several writers write the same few objects.
func contend(ctx context.Context, config *rest.Config) error {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := perform(ctx, jobs(typed, untyped)[:30]); err != nil {
		return err
	}
	return races(ctx, typed, 1500)
}

// races writes a few config maps `count` times.
func races(ctx context.Context, typed kubernetes.Interface, count int64) error {
	const writers = 32
	var (
		group sync.WaitGroup
		next  atomic.Int64
		errs  = make(chan error, writers)
	)
	for range writers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				i := next.Add(1)
				if i > count {
					return
				}
				if err := race(ctx, typed, i); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	group.Wait()
	close(errs)
	return <-errs
}

// race writes one of a few config maps, which others write concurrently, without a resourceVersion:
// every kind of such a write succeeds.
func race(ctx context.Context, typed kubernetes.Interface, i int64) error {
	client := typed.CoreV1().ConfigMaps(namespace)
	name := fmt.Sprintf("churn-%d", []int{2, 4, 5, 7, 8, 10, 11, 14}[i%8]) // objects that are kept
	round := fmt.Sprint(i)
	var err error
	switch i / 8 % 3 {
	case 0:
		patch := fmt.Sprintf(`{"data":{"round":%q}}`, round)
		_, err = client.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	case 1:
		applied := applyv1.ConfigMap(name, namespace).WithData(map[string]string{"round": round})
		_, err = client.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "racer", Force: true})
	default:
		_, err = client.Update(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "churn"}},
			Data:       map[string]string{"round": round},
		}, metav1.UpdateOptions{})
	}
	return err
}

// wire dials connections that can be cut.
type wire struct {
	mutex sync.Mutex
	down  bool
	open  []net.Conn
}

func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.down {
		// An informer waits for this to end and keeps its version.
		return nil, os.NewSyscallError("connect", syscall.ECONNREFUSED)
	}
	made, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err == nil {
		w.open = append(w.open, made)
	}
	return made, err
}

func (w *wire) cut(down bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.down = down
	for _, each := range w.open {
		each.Close()
	}
	w.open = nil
}
