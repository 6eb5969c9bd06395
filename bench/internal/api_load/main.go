// Load for the Kubernetes API of one server, over HTTP/1.1 and TLS with a client certificate. Prints one line of JSON.
//
//	api_load -server URL -ca FILE -cert FILE -key FILE COMMAND [flags]
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type load struct {
	client *http.Client
	server string
	end    time.Time // zero: a command takes what it takes
}

// isLate says that a command should end with what it has done: its time is over.
func (l *load) isLate() bool {
	return !l.end.IsZero() && time.Now().After(l.end)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "api_load:", err)
		os.Exit(1)
	}
}

func run() error {
	server := flag.String("server", "", "URL")
	ca := flag.String("ca", "", "file")
	cert := flag.String("cert", "", "file")
	key := flag.String("key", "", "file")
	path := flag.String("path", "", "of the request")
	accept := flag.String("accept", "application/json", "header")
	workers := flag.Int("workers", 16, "connections, watchers")
	seconds := flag.Float64("seconds", 5, "how long")
	count := flag.Int("count", 100, "how often, or how many objects")
	limit := flag.Float64("limit", 0, "seconds after which create, post, list, latency and apply end with what they have; 0: none")
	bytes := flag.Int("bytes", 100, "of data in an object")
	name := flag.String("name", "o", "how names of objects begin")
	flag.Parse()
	made, err := newLoad(*server, *ca, *cert, *key)
	if err != nil {
		return err
	}
	if *limit > 0 {
		made.end = time.Now().Add(time.Duration(*limit * float64(time.Second)))
	}
	var out any
	switch flag.Arg(0) {
	case "get":
		out, err = made.get(*path, *workers, *seconds)
	case "create":
		out, err = made.create(*path, *name, *workers, *count, *bytes)
	case "list":
		out, err = made.list(*path, *accept, *count)
	case "latency":
		out, err = made.latency(*path, *workers, *count)
	case "idle":
		out, err = made.idle(*path, *workers)
	case "dump":
		return made.dump(*path)
	case "post":
		out, err = made.post(os.Stdin)
	case "apply":
		out, err = made.apply(*path, *count)
	default:
		err = fmt.Errorf("no command %q", flag.Arg(0))
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func newLoad(server, ca, cert, key string) (*load, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	// A server has a limit of connections from one address: the load comes from several.
	var next atomic.Uint32
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			dialer := net.Dialer{}
			if strings.HasPrefix(address, "127.") {
				dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+next.Add(1)%8))}
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSClientConfig:     &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}},
		MaxIdleConnsPerHost: 20000,
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1
		DisableCompression:  true,
	}
	return &load{client: &http.Client{Transport: transport}, server: server}, nil
}

func (l *load) do(method, path, contentType, accept string, body []byte, want int) ([]byte, error) {
	request, err := http.NewRequest(method, l.server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := l.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != want {
		err = fmt.Errorf("%s %s: %s: %.300s", method, path, answer.Status, text)
	}
	return text, err
}

// together runs `work` in several goroutines until each has ended.
func together(workers int, work func(worker int) error) error {
	var group sync.WaitGroup
	errs := make(chan error, workers)
	for i := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			errs <- work(i)
		}()
	}
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type rate struct {
	PerSecond float64 `json:"per_second"`
	Millis    float64 `json:"millis"` // median of one
	Count     int64   `json:"count"`
}

func (l *load) get(path string, workers int, seconds float64) (any, error) {
	var done atomic.Int64
	begin := time.Now()
	end := begin.Add(time.Duration(seconds * float64(time.Second)))
	err := together(workers, func(int) error {
		for time.Now().Before(end) {
			if _, err := l.do("GET", path, "", "application/json", nil, 200); err != nil {
				return err
			}
			done.Add(1)
		}
		return nil
	})
	per := float64(done.Load()) / time.Since(begin).Seconds()
	return rate{per, float64(workers) * 1000 / per, done.Load()}, err
}

func configMap(name, app string, size int) []byte {
	text, _ := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": name, "labels": map[string]any{"app": app}},
		"data":     map[string]any{"value": strings.Repeat("x", size)}})
	return text
}

func (l *load) create(path, name string, workers, count, size int) (any, error) {
	var next, done atomic.Int64
	begin := time.Now()
	err := together(workers, func(int) error {
		for {
			i := next.Add(1)
			if i > int64(count) || l.isLate() {
				return nil
			}
			body := configMap(fmt.Sprintf("%s-%d", name, i), "load", size)
			if _, err := l.do("POST", path, "application/json", "application/json", body, 201); err != nil {
				return err
			}
			done.Add(1)
		}
	})
	per := float64(done.Load()) / time.Since(begin).Seconds()
	return rate{per, float64(workers) * 1000 / per, done.Load()}, err
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func (l *load) list(path, accept string, count int) (any, error) {
	var took []float64
	size := 0
	for len(took) < count && (len(took) == 0 || !l.isLate()) {
		begin := time.Now()
		text, err := l.do("GET", path, "", accept, nil, 200)
		if err != nil {
			return nil, err
		}
		size = len(text)
		took = append(took, float64(time.Since(begin).Microseconds())/1000)
	}
	return map[string]float64{"millis": median(took), "bytes": float64(size)}, nil
}

// watch opens a watch from now on; each line that comes is handed on.
func (l *load) watch(path string, line func(string)) (io.Closer, error) {
	answer, err := l.client.Get(l.server + path)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != 200 {
		return nil, errors.New(answer.Status)
	}
	go func() {
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(make([]byte, 64<<10), 1<<20)
		for lines.Scan() {
			line(lines.Text())
		}
	}()
	return answer.Body, nil
}

// latency: from before a write is sent until each watcher has read its event.
func (l *load) latency(path string, watchers, writes int) (any, error) {
	type event struct {
		at    time.Time
		write string
	}
	came := make(chan event, watchers*4)
	for range watchers {
		_, err := l.watch(path+"?watch=true&labelSelector=app%3Dlatency&timeoutSeconds=600", func(line string) {
			now := time.Now()
			if at := strings.Index(line, "latency-"); at >= 0 && strings.Contains(line, `"ADDED"`) {
				came <- event{now, line[at : at+strings.IndexAny(line[at:], "\"")]}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var took []float64
	run := time.Now().UnixNano()
	for i := 0; i < writes && (i == 0 || !l.isLate()); i++ {
		name := fmt.Sprintf("latency-%d-%d", run, i)
		begin := time.Now()
		if _, err := l.do("POST", path, "application/json", "application/json", configMap(name, "latency", 100), 201); err != nil {
			return nil, err
		}
		late := time.After(30 * time.Second)
		for seen := 0; seen < watchers; {
			select {
			case one := <-came:
				if one.write == name { // others are of what was there before
					took = append(took, float64(one.at.Sub(begin).Microseconds())/1000)
					seen++
				}
			case <-late:
				return nil, fmt.Errorf("%s: %d of %d watchers were told in 30 seconds", name, seen, watchers)
			}
		}
	}
	slices.Sort(took)
	return map[string]float64{"millis": median(took), "millis_99": took[len(took)*99/100]}, nil
}

// idle opens watches, says so and keeps them until a line comes in.
func (l *load) idle(path string, watchers int) (any, error) {
	begin := time.Now()
	err := together(50, func(worker int) error {
		for i := worker; i < watchers; i += 50 {
			if _, err := l.watch(path+"?watch=true&labelSelector=app%3Dnone&timeoutSeconds=600", func(string) {}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	took := time.Since(begin).Seconds()
	fmt.Println("open")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return map[string]float64{"seconds": took}, nil
}

// apply changes one value of an object of about 5 kB, on one connection.
func (l *load) apply(path string, count int) (any, error) {
	data := map[string]any{}
	for i := range 60 {
		data[fmt.Sprintf("key-%02d", i)] = strings.Repeat("v", 70)
	}
	object := map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "applied"}, "data": data}
	var took []float64
	for i := 0; i < count && (i == 0 || !l.isLate()); i++ {
		data["key-00"] = fmt.Sprint(i)
		body, _ := json.Marshal(object)
		begin := time.Now()
		want := 200
		if i == 0 {
			want = 201
		}
		if _, err := l.do("PATCH", path+"/applied?fieldManager=bench", "application/apply-patch+yaml",
			"application/json", body, want); err != nil {
			return nil, err
		}
		took = append(took, float64(time.Since(begin).Microseconds())/1000)
	}
	return map[string]float64{"millis": median(took), "count": float64(len(took))}, nil
}

func (l *load) dump(path string) error {
	text, err := l.do("GET", path, "", "application/json", nil, 200)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

// post creates what comes in, an object and its path a line; the first one before the others.
func (l *load) post(in io.Reader) (any, error) {
	type one struct {
		Path   string          `json:"path"`
		Object json.RawMessage `json:"object"`
	}
	lines := make(chan one)
	var wrong error
	go func() {
		defer close(lines)
		for from := json.NewDecoder(in); ; {
			var next one
			if err := from.Decode(&next); err != nil {
				if !errors.Is(err, io.EOF) {
					wrong = err
				}
				return
			}
			lines <- next
		}
	}()
	// A kind is there some time after its definition.
	put := func(each one) error {
		var err error
		for range 100 {
			_, err = l.do("POST", each.Path, "application/json", "application/json", each.Object, 201)
			if err == nil || !strings.Contains(err.Error(), "404") {
				return err
			}
			time.Sleep(100 * time.Millisecond)
		}
		return err
	}
	if err := put(<-lines); err != nil {
		return nil, err
	}
	if err := put(<-lines); err != nil {
		return nil, err
	}
	var done atomic.Int64
	done.Store(2)
	err := together(32, func(int) error {
		for each := range lines {
			if l.isLate() {
				return nil
			}
			if err := put(each); err != nil {
				return err
			}
			done.Add(1)
		}
		return nil
	})
	return map[string]int64{"count": done.Load()}, errors.Join(err, wrong)
}
