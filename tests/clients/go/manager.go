package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	widgets   = 40
	finalizer = "clients.example.com/config"
)

var widgetKind = schema.GroupVersionKind{Group: "clients.example.com", Version: "v1", Kind: "Widget"}

// manage runs a manager whose reconciler gives each Widget a ConfigMap, a status and a finalizer. A
// second manager waits for the lease and takes over when the first one ends.
func manage(ctx context.Context, rest *rest.Config) error {
	log.SetLogger(logr.Discard())
	direct, err := client.New(rest, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		return err
	}
	if err := define(ctx, direct); err != nil {
		return err
	}
	first, err := start(ctx, rest, "first")
	if err != nil {
		return err
	}
	if err := first.leads(ctx); err != nil {
		return err
	}
	second, err := start(ctx, rest, "second")
	if err != nil {
		return err
	}
	for i := range widgets / 2 {
		if err := direct.Create(ctx, widget(i)); err != nil {
			return err
		}
	}
	if err := settled(ctx, direct, widgets/2, "first"); err != nil {
		return err
	}
	if err := first.stop(); err != nil {
		return err
	}
	if err := second.leads(ctx); err != nil {
		return err
	}
	for i := widgets / 2; i < widgets; i++ {
		if err := direct.Create(ctx, widget(i)); err != nil {
			return err
		}
	}
	if err := settled(ctx, direct, widgets, ""); err != nil {
		return err
	}
	if err := grow(ctx, direct); err != nil {
		return err
	}
	if err := told(ctx, direct); err != nil {
		return err
	}
	if err := direct.DeleteAllOf(ctx, widget(0), client.InNamespace(namespace)); err != nil {
		return fmt.Errorf("delete all: %w", err)
	}
	if err := settled(ctx, direct, 0, ""); err != nil {
		return err
	}
	return second.stop()
}

// define creates the definition and waits until the kind is served.
func define(ctx context.Context, direct client.Client) error {
	preserve := map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "widgets.clients.example.com"},
		"spec": map[string]any{
			"group": widgetKind.Group, "scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "kind": "Widget", "listKind": "WidgetList"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object", "properties": map[string]any{"spec": preserve, "status": preserve}}},
			}},
		}}}
	if err := direct.Create(ctx, definition); err != nil {
		return fmt.Errorf("define: %w", err)
	}
	return until(ctx, "the kind is served", func() (bool, error) {
		err := direct.List(ctx, widgetList())
		return err == nil, nil
	})
}

func widget(i int) *unstructured.Unstructured {
	out := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(i)}}}
	out.SetGroupVersionKind(widgetKind)
	out.SetNamespace(namespace)
	out.SetName(fmt.Sprintf("w-%d", i))
	return out
}

func widgetList() *unstructured.UnstructuredList {
	out := &unstructured.UnstructuredList{}
	out.SetGroupVersionKind(widgetKind)
	return out
}

// running is a manager in its own goroutine.
type running struct {
	elected <-chan struct{}
	cancel  context.CancelFunc
	done    chan error
}

func start(ctx context.Context, rest *rest.Config, name string) (*running, error) {
	lease, renew, try := 6*time.Second, 4*time.Second, 500*time.Millisecond
	skip := true // the controllers of two managers in one process have the same name
	manager, err := ctrl.NewManager(rest, ctrl.Options{
		Scheme:                        scheme.Scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		Controller:                    config.Controller{SkipNameValidation: &skip},
		LeaderElection:                true,
		LeaderElectionID:              "clients.example.com",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &lease,
		RenewDeadline:                 &renew,
		RetryPeriod:                   &try,
	})
	if err != nil {
		return nil, fmt.Errorf("manager %s: %w", name, err)
	}
	kind := &unstructured.Unstructured{}
	kind.SetGroupVersionKind(widgetKind)
	err = ctrl.NewControllerManagedBy(manager).For(kind).Owns(&corev1.ConfigMap{}).Complete(&reconciler{
		name: name, client: manager.GetClient(), events: manager.GetEventRecorderFor(name)})
	if err != nil {
		return nil, fmt.Errorf("controller %s: %w", name, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	out := &running{elected: manager.Elected(), cancel: cancel, done: make(chan error, 1)}
	go func() { out.done <- manager.Start(ctx) }()
	return out, nil
}

func (r *running) leads(ctx context.Context) error {
	select {
	case <-r.elected:
		return nil
	case err := <-r.done:
		return fmt.Errorf("a manager ended: %w", err)
	case <-ctx.Done():
		return fmt.Errorf("no leader: %w", ctx.Err())
	}
}

func (r *running) stop() error {
	r.cancel()
	return <-r.done
}

type reconciler struct {
	name   string
	client client.Client
	events record.EventRecorder
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (reconcile.Result, error) {
	object := widget(0)
	if err := r.client.Get(ctx, request.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !object.GetDeletionTimestamp().IsZero() {
		config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: object.GetName()}}
		if err := client.IgnoreNotFound(r.client.Delete(ctx, config)); err != nil {
			return reconcile.Result{}, err
		}
		if controllerutil.RemoveFinalizer(object, finalizer) {
			return reconcile.Result{}, client.IgnoreNotFound(r.client.Update(ctx, object))
		}
		return reconcile.Result{}, nil
	}
	if controllerutil.AddFinalizer(object, finalizer) {
		if err := r.client.Update(ctx, object); err != nil {
			return reconcile.Result{}, err
		}
	}
	size, _, err := unstructured.NestedInt64(object.Object, "spec", "size")
	if err != nil {
		return reconcile.Result{}, err
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: object.GetName()}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.client, config, func() error {
		config.Data = map[string]string{"size": fmt.Sprint(size)}
		return controllerutil.SetControllerReference(object, config, r.client.Scheme())
	})
	if err != nil {
		return reconcile.Result{}, err
	}
	observed, _, err := unstructured.NestedInt64(object.Object, "status", "observedGeneration")
	if err != nil || observed == object.GetGeneration() {
		return reconcile.Result{}, err
	}
	base := object.DeepCopy()
	object.Object["status"] = map[string]any{
		"observedGeneration": object.GetGeneration(), "size": size, "by": r.name}
	if err := r.client.Status().Patch(ctx, object, client.MergeFrom(base)); err != nil {
		return reconcile.Result{}, err
	}
	r.events.Eventf(object, corev1.EventTypeNormal, "Sized", "size %d", size)
	return reconcile.Result{}, nil
}

// settled waits until there are `count` widgets and as many config maps, all observed by `by` ("" for
// any).
func settled(ctx context.Context, direct client.Client, count int, by string) error {
	return until(ctx, fmt.Sprintf("%d widgets are done", count), func() (bool, error) {
		list := widgetList()
		if err := direct.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return false, err
		}
		for _, each := range list.Items {
			observed, _, _ := unstructured.NestedInt64(each.Object, "status", "observedGeneration")
			owner, _, _ := unstructured.NestedString(each.Object, "status", "by")
			if observed != each.GetGeneration() || (by != "" && owner != by) {
				return false, nil
			}
		}
		configs := &corev1.ConfigMapList{}
		if err := direct.List(ctx, configs, client.InNamespace(namespace)); err != nil {
			return false, err
		}
		owned := 0
		for _, each := range configs.Items {
			if metav1.GetControllerOf(&each) != nil {
				owned++
			}
		}
		return len(list.Items) == count && owned == count, nil
	})
}

// grow changes a spec with the latest version, and with an old one, which is refused.
func grow(ctx context.Context, direct client.Client) error {
	name := types.NamespacedName{Namespace: namespace, Name: "w-1"}
	stale, fresh := widget(1), widget(1)
	for _, each := range []*unstructured.Unstructured{stale, fresh} {
		if err := direct.Get(ctx, name, each); err != nil {
			return err
		}
		each.Object["spec"] = map[string]any{"size": int64(1001)}
	}
	if err := direct.Update(ctx, fresh); err != nil {
		return err
	}
	if err := direct.Update(ctx, stale); !apierrors.IsConflict(err) {
		return fmt.Errorf("an update of an old version: %v", err)
	}
	return until(ctx, "the config map follows", func() (bool, error) {
		config := &corev1.ConfigMap{}
		err := direct.Get(ctx, name, config)
		return err == nil && config.Data["size"] == "1001", err
	})
}

// told waits for the events of the recorder.
func told(ctx context.Context, direct client.Client) error {
	return until(ctx, "events are there", func() (bool, error) {
		events := &corev1.EventList{}
		err := direct.List(ctx, events, client.InNamespace(namespace),
			client.MatchingFields{"involvedObject.kind": "Widget", "reason": "Sized"})
		return len(events.Items) > 0, err
	})
}

func until(ctx context.Context, what string, done func() (bool, error)) error {
	var last error
	for {
		ok, err := done()
		if ok {
			return nil
		}
		if err != nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("waited for: %s: %w", what, ctx.Err()), last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
