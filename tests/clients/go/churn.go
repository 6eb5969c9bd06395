package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
)

const (
	writers    = 6
	configMaps = 900
	variants   = 80
	revisions  = 20
	namespace  = "default"
)

// churn creates, changes and deletes objects from several goroutines while informers follow them.
// After half of the work it prints "half" and reads a line: meanwhile the server may be killed and
// started again at the same address. At the end each informer must hold what a list shows.
func churn(ctx context.Context, config *rest.Config) error {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	followers, err := follow(ctx, config)
	if err != nil {
		return err
	}
	work := jobs(typed, untyped)
	half := len(work) / 2
	if err := perform(ctx, work[:half]); err != nil {
		return err
	}
	fmt.Println("half")
	answer := make(chan error, 1)
	go func() {
		_, err := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- err
	}()
	// These are written while the server goes away and comes back.
	if err := perform(ctx, work[half:]); err != nil {
		return err
	}
	if err := <-answer; err != nil {
		return fmt.Errorf("the line that says the server is back: %w", err)
	}
	for _, each := range followers {
		if err := each.agrees(ctx, untyped); err != nil {
			return err
		}
		fmt.Println(each.report())
	}
	return nil
}

// job is the life of one object, whose final content depends on its number.
type job struct {
	name   string
	create func(context.Context) error
	change func(context.Context, int) error
	remove func(context.Context) error
	stays  bool
}

func jobs(typed kubernetes.Interface, untyped dynamic.Interface) []job {
	var out []job
	for i := range configMaps + variants + revisions {
		// Kinds are mixed, so that each kind is written throughout.
		switch {
		case i%50 == 0:
			out = append(out, revisionJob(untyped, i))
		case i%12 == 1:
			out = append(out, variantJob(untyped, i))
		default:
			out = append(out, configMapJob(typed, i))
		}
	}
	return out
}

func configMapJob(typed kubernetes.Interface, i int) job {
	client := typed.CoreV1().ConfigMaps(namespace)
	name := fmt.Sprintf("churn-%d", i)
	return job{
		name:  name,
		stays: i%3 != 0,
		create: func(ctx context.Context) error {
			_, err := client.Create(ctx, &corev1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "churn"}},
				Data:       map[string]string{"round": "0"},
			}, metav1.CreateOptions{})
			return err
		},
		change: func(ctx context.Context, round int) error {
			object, err := client.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			object.Data["round"] = fmt.Sprint(round)
			_, err = client.Update(ctx, object, metav1.UpdateOptions{})
			return err
		},
		remove: func(ctx context.Context) error {
			return client.Delete(ctx, name, metav1.DeleteOptions{})
		},
	}
}

func variantJob(untyped dynamic.Interface, i int) job {
	name := fmt.Sprintf("churn-%d", i)
	return untypedJob(untyped.Resource(packageVariants).Namespace(namespace), &unstructured.Unstructured{
		Object: map[string]any{
			"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
			"metadata": map[string]any{"name": name},
			"spec": map[string]any{
				// Nothing has this name: the controller writes a status but no package.
				"upstream":   map[string]any{"repo": "nowhere", "package": "p", "workspaceName": "v1"},
				"downstream": map[string]any{"repo": "edge", "package": name},
			},
		}}, i%3 != 0)
}

func revisionJob(untyped dynamic.Interface, i int) job {
	name := fmt.Sprintf("edge.churn-%d.v1", i)
	return untypedJob(untyped.Resource(packageRevisions).Namespace(namespace), &unstructured.Unstructured{
		Object: map[string]any{
			"apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
			"metadata": map[string]any{"name": name},
			"spec": map[string]any{
				"packageName": fmt.Sprintf("churn-%d", i), "repository": "edge", "workspaceName": "v1",
				"tasks": []any{map[string]any{"type": "init", "init": map[string]any{}}},
			},
		}}, i%100 != 0)
}

func untypedJob(client dynamic.ResourceInterface, object *unstructured.Unstructured, stays bool) job {
	name := object.GetName()
	return job{
		name:  name,
		stays: stays,
		create: func(ctx context.Context) error {
			_, err := client.Create(ctx, object, metav1.CreateOptions{})
			return err
		},
		change: func(ctx context.Context, round int) error {
			stored, err := client.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			stored.SetLabels(map[string]string{"round": fmt.Sprint(round)})
			_, err = client.Update(ctx, stored, metav1.UpdateOptions{})
			return err
		},
		remove: func(ctx context.Context) error {
			return client.Delete(ctx, name, metav1.DeleteOptions{})
		},
	}
}

// perform runs the jobs with several concurrent writers.
func perform(ctx context.Context, work []job) error {
	var (
		next  atomic.Int64
		group sync.WaitGroup
		errs  = make(chan error, writers)
	)
	for range writers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(work) {
					return
				}
				if err := work[i].live(ctx); err != nil {
					errs <- fmt.Errorf("%s: %w", work[i].name, err)
					return
				}
			}
		}()
	}
	group.Wait()
	close(errs)
	return <-errs
}

func (j job) live(ctx context.Context) error {
	err := persist(ctx, func() error { return j.create(ctx) })
	if err != nil && !apierrors.IsAlreadyExists(err) { // the answer to an earlier try may have been lost
		return fmt.Errorf("create: %w", err)
	}
	for round := 1; round <= 2; round++ {
		err := persist(ctx, func() error {
			return retry.RetryOnConflict(retry.DefaultBackoff, func() error { return j.change(ctx, round) })
		})
		if err != nil {
			return fmt.Errorf("update: %w", err)
		}
	}
	if j.stays {
		return nil
	}
	err = persist(ctx, func() error { return j.remove(ctx) })
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}

// persist retries while the server is unreachable or overloaded; refusals are final.
func persist(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || (apierrors.ReasonForError(err) != metav1.StatusReasonUnknown &&
			!apierrors.IsServiceUnavailable(err) && !apierrors.IsTooManyRequests(err)) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w, last: %w", ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
