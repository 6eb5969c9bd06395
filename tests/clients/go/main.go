// Clients of the Kubernetes API as controllers use them: client-go's informers and controller-runtime's
// manager. `clients SCENARIO` runs against the server of $KUBECONFIG and exits with 0 on success.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// scenarios maps the first argument to its function.
var scenarios = map[string]func(context.Context, *rest.Config) error{
	"churn":   churn,
	"contend": contend,
	"expire":  expire,
	"manager": manage,
	"openapi": published,
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 || scenarios[os.Args[1]] == nil {
		return fmt.Errorf("usage: clients churn|contend|expire|manager|openapi")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.QPS = -1 // no client-side limit, because the server's limits are tested
	config.Timeout = 0
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return scenarios[os.Args[1]](ctx, config)
}
