package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	openapi "github.com/google/gnostic-models/openapiv2"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// published compares the two formats of the OpenAPI v2 document: gnostic must read the same message
// from JSON and from protobuf.
func published(ctx context.Context, config *rest.Config) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	sent, err := client.OpenAPISchema() // asks for protobuf
	if err != nil {
		return err
	}
	text, err := client.RESTClient().Get().AbsPath("/openapi/v2").SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		return err
	}
	read, err := openapi.ParseDocument(text)
	if err != nil {
		return err
	}
	for _, document := range []*openapi.Document{sent, read} {
		if err := normalize(document); err != nil {
			return err
		}
	}
	have, want := sent.Definitions.AdditionalProperties, read.Definitions.AdditionalProperties
	if len(have) == 0 || len(have) != len(want) {
		return fmt.Errorf("%d definitions in protobuf, %d in JSON", len(have), len(want))
	}
	for i := range have {
		if !proto.Equal(have[i], want[i]) {
			return fmt.Errorf("definition %s:\n%s\n%s", want[i].Name, have[i], want[i])
		}
	}
	for i, path := range read.Paths.Path {
		if !proto.Equal(sent.Paths.Path[i], path) {
			return fmt.Errorf("path %s:\n%s\n%s", path.Name, sent.Paths.Path[i], path)
		}
	}
	if !proto.Equal(sent, read) {
		return errors.New("the documents differ, but not in definitions and paths")
	}
	return nil
}

// normalize rewrites embedded YAML of a document in a uniform format.
func normalize(document *openapi.Document) error {
	var failed error
	each := func(list []*openapi.NamedAny) {
		for _, one := range list {
			var value any
			if err := yaml.Unmarshal([]byte(one.Value.Yaml), &value); err != nil {
				failed = err
				continue
			}
			text, err := json.Marshal(value)
			if err != nil {
				failed = err
			}
			one.Value.Yaml = string(text)
		}
	}
	var schema func(*openapi.Schema)
	schema = func(s *openapi.Schema) {
		if s == nil {
			return
		}
		each(s.VendorExtension)
		for _, item := range s.Enum {
			each([]*openapi.NamedAny{{Value: item}})
		}
		if s.Properties != nil {
			for _, property := range s.Properties.AdditionalProperties {
				schema(property.Value)
			}
		}
		for _, item := range s.GetItems().GetSchema() {
			schema(item)
		}
		schema(s.GetAdditionalProperties().GetSchema())
	}
	for _, definition := range document.Definitions.AdditionalProperties {
		schema(definition.Value)
	}
	for _, path := range document.Paths.Path {
		item := path.Value
		for _, operation := range []*openapi.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if operation != nil {
				each(operation.VendorExtension)
			}
		}
	}
	return failed
}
