package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var (
	configMapsResource = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	packageVariants    = schema.GroupVersionResource{
		Group: "config.porch.kpt.dev", Version: "v1alpha1", Resource: "packagevariants"}
	packageRevisions = schema.GroupVersionResource{
		Group: "porch.kpt.dev", Version: "v1alpha1", Resource: "packagerevisions"}
)

// follower is an informer with the events it has seen.
type follower struct {
	name     string
	resource schema.GroupVersionResource
	informer cache.SharedIndexInformer
	seen     seen
}

type seen struct {
	added, updated, deleted, broken atomic.Int64
}

// follow starts typed, dynamic and metadata-only informers and waits until they hold all objects.
func follow(ctx context.Context, config *rest.Config) ([]*follower, error) {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	partial, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	out := []*follower{{
		name:     "typed",
		resource: configMapsResource,
		informer: informers.NewSharedInformerFactory(typed, 0).Core().V1().ConfigMaps().Informer(),
	}}
	dynamics := dynamicinformer.NewDynamicSharedInformerFactory(untyped, 0)
	metadatas := metadatainformer.NewSharedInformerFactory(partial, 0)
	for _, resource := range []schema.GroupVersionResource{configMapsResource, packageVariants, packageRevisions} {
		out = append(out,
			&follower{name: "dynamic", resource: resource, informer: dynamics.ForResource(resource).Informer()},
			&follower{name: "metadata", resource: resource, informer: metadatas.ForResource(resource).Informer()})
	}
	for _, each := range out {
		if err := each.start(ctx); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (f *follower) start(ctx context.Context) error {
	_, err := f.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { f.seen.added.Add(1) },
		UpdateFunc: func(any, any) { f.seen.updated.Add(1) },
		DeleteFunc: func(any) { f.seen.deleted.Add(1) },
	})
	if err != nil {
		return err
	}
	err = f.informer.SetWatchErrorHandler(func(*cache.Reflector, error) {
		f.seen.broken.Add(1)
	})
	if err != nil {
		return err
	}
	go f.informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), f.informer.HasSynced) {
		return fmt.Errorf("%s informer of %s: never in sync", f.name, f.resource.Resource)
	}
	return nil
}

// agrees waits until the informer's store holds exactly the versions that a list shows.
func (f *follower) agrees(ctx context.Context, client dynamic.Interface) error {
	var difference string
	for {
		listed, err := client.Resource(f.resource).Namespace(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
		if err != nil {
			return fmt.Errorf("list %s: %w", f.resource.Resource, err)
		}
		want := map[string]string{}
		for i := range listed.Items {
			want[key(&listed.Items[i])] = version(&listed.Items[i])
		}
		if difference = f.difference(want); difference == "" {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s informer of %s: %s", f.name, f.resource.Resource, difference)
		case <-time.After(50 * time.Millisecond): // events may still arrive
		}
	}
}

func (f *follower) difference(want map[string]string) string {
	have := map[string]string{}
	for _, each := range f.informer.GetStore().List() {
		object, err := meta.Accessor(each)
		if err != nil {
			return err.Error()
		}
		have[key(object)] = version(object)
	}
	for name, at := range want {
		if have[name] != at {
			return fmt.Sprintf("%s is %q in the store and %q in the list", name, have[name], at)
		}
	}
	for name := range have {
		if _, known := want[name]; !known {
			return fmt.Sprintf("%s is in the store and not in the list", name)
		}
	}
	return ""
}

func key(object metav1.Object) string { return object.GetNamespace() + "/" + object.GetName() }

func version(object metav1.Object) string {
	return string(object.GetUID()) + "@" + object.GetResourceVersion()
}

func (f *follower) report() string {
	return fmt.Sprintf("%s %s: %d objects, %d added, %d updated, %d deleted, %d broken watches",
		f.name, f.resource.Resource, len(f.informer.GetStore().ListKeys()), f.seen.added.Load(),
		f.seen.updated.Load(), f.seen.deleted.Load(), f.seen.broken.Load())
}
