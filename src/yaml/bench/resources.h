// Typical package resources for the benchmarks, of any total size.
#pragma once

#include <cstddef>
#include <string>

namespace portico::yaml {

/// One document: in turn a Deployment, a ConfigMap with a file in it, and a
/// CustomResourceDefinition. `number` makes each one different.
inline std::string resource(int number) {
  const std::string name = "web-" + std::to_string(number);
  std::string text;
  if (number % 3 == 0) {
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: # kpt-merge: default/" + name +
           "\n  name: " + name + "\n  namespace: default\n  labels:\n    app: " + name +
           "\n  annotations:\n    config.kubernetes.io/depends-on: \"\"\nspec:\n"
           "  # as many as there are zones\n  replicas: 3 # kpt-set: ${replicas}\n"
           "  template:\n    spec:\n      containers:\n      - name: server\n"
           "        image: \"registry.example.com/team/server:1.4.2\"\n"
           "        args: [--listen=:8080, \"--log=json\"]\n        ports:\n"
           "        - name: http\n          containerPort: 8080\n          protocol: TCP\n"
           "        env:\n";
    for (int i = 0; i < 8; ++i)
      text += "        - name: VARIABLE_" + std::to_string(i) + "\n          value: 'value " +
              std::to_string(i * number) + "'\n";
  } else if (number % 3 == 1) {
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name +
           "\ndata:\n  server.conf: |\n";
    for (int i = 0; i < 12; ++i)
      text += "    location /path-" + std::to_string(i) + " { proxy_pass http://upstream; }\n";
    text += "  mode: \"strict\"\n";
  } else {
    text =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"
        "  name: " +
        name +
        "\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n"
        "        type: object\n        properties:\n";
    for (int i = 0; i < 8; ++i)
      text += "          field" + std::to_string(i) +
              ":\n            description: >-\n              What the controller does with this "
              "field when\n              the object is seen for the first time.\n"
              "            type: string\n            enum: [a, b, c]\n";
  }
  return text;
}

/// A file of at least `bytes` bytes.
inline std::string resources(std::size_t bytes) {
  std::string text;
  for (int number = 0; text.size() < bytes; ++number) {
    if (number > 0) text += "---\n";
    text += resource(number);
  }
  return text;
}

}  // namespace portico::yaml
