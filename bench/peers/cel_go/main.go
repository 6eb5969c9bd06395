// What cel-go needs for the expressions of ../../data/cel.json, with the options and libraries that
// Kubernetes uses: JSON on standard output, in the form of cel_bench --json.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"syscall"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"
)

type data struct {
	Variables   map[string]any `json:"variables"`
	Expressions []struct {
		Group string `json:"group"`
		Expr  string `json:"expr"`
	} `json:"expressions"`
}

type cost struct {
	Ns          float64 `json:"ns"`
	Allocations float64 `json:"allocations"`
}

type row struct {
	Expression string `json:"expression"`
	Result     string `json:"result"`
	Parse      cost   `json:"parse"`
	Check      cost   `json:"check"`
	Compile    cost   `json:"compile"`
	Evaluate   cost   `json:"evaluate"`
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "cel_go:", err)
		os.Exit(1)
	}
	return value
}

func processorNanoseconds() float64 {
	var usage syscall.Rusage
	must(0, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

// The median of 15 rounds of at least 10 ms of processor time: the clock of a process is coarse.
func costOf(operation func()) cost {
	var rounds []float64
	repeat := 1
	for len(rounds) < 15 {
		from := processorNanoseconds()
		for range repeat {
			operation()
		}
		if took := processorNanoseconds() - from; took < 10e6 {
			repeat *= 2
		} else {
			rounds = append(rounds, took/float64(repeat))
		}
	}
	sort.Float64s(rounds)
	return cost{rounds[len(rounds)/2], testing.AllocsPerRun(100, operation)}
}

func environment() *cel.Env {
	return must(cel.NewEnv(
		cel.HomogeneousAggregateLiterals(),
		cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(),
		ext.Strings(ext.StringsVersion(2)),
		ext.Sets(),
		ext.Lists(ext.ListsVersion(3)),
		ext.TwoVarComprehensions(),
		library.URLs(), library.Regex(), library.Lists(), library.Quantity(),
		library.IP(), library.CIDR(), library.Format(), library.SemverLib(library.SemverVersion(1)),
		cel.Variable("repoDefault", cel.StringType),
		cel.Variable("packageDefault", cel.StringType),
		cel.Variable("upstream", cel.DynType),
		cel.Variable("target", cel.DynType),
		cel.Variable("repository", cel.DynType),
	))
}

func main() {
	var given data
	must(0, json.Unmarshal(must(os.ReadFile(os.Args[1])), &given))
	env := environment()
	var rows []row
	for _, each := range given.Expressions {
		compile := func() cel.Program {
			ast, issues := env.Compile(each.Expr)
			must(0, issues.Err())
			return must(env.Program(ast, cel.EvalOptions(cel.OptOptimize)))
		}
		program := compile()
		result, _, err := program.Eval(given.Variables)
		must(0, err)
		rows = append(rows, row{
			Expression: each.Expr,
			Result:     fmt.Sprint(result.Value()),
			Parse:      costOf(func() { env.Parse(each.Expr) }),
			Check:      costOf(func() { env.Compile(each.Expr) }),
			Compile:    costOf(func() { compile() }),
			Evaluate:   costOf(func() { program.Eval(given.Variables) }),
		})
	}
	must(0, json.NewEncoder(os.Stdout).Encode(rows))
}
