// Command unrolled serves the built site on this machine.
//
//	go run . [-addr 127.0.0.1:8080] [-dir dist]
//
// It is a plain static file server with what the site asks of a host: right
// content types, the content policy of web/, files that other origins may
// fetch (an embedded figure has an origin of its own), and the gzip twin of a
// file where there is one. Any other static host does as well.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// policy is the content policy of every page. Scripts, styles and data come
// from the site alone; nothing forbids framing, since embedding is the point.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'"

// types is fixed here because a machine's own table may call JavaScript or
// WebAssembly something that a browser refuses to run.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".gif":         "image/gif",
	".gz":          "application/gzip",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on; a taken port moves on to the next free one")
	dir := flag.String("dir", "dist", "folder with the built site")
	flag.Parse()
	if err := run(*addr, *dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves dir at addr until an interrupt, then lets open answers finish.
func run(addr, dir string, out io.Writer) error {
	root, err := openSite(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Handler: site{root.FS()}, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	fmt.Fprintf(out, "Unrolled is at http://%s/ (stop with Ctrl-C)\n", listener.Addr())

	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := server.Shutdown(grace); err != nil {
			return server.Close()
		}
		return nil
	}
}

// openSite opens the built site as a root that no path and no symbolic link
// leads out of.
func openSite(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %q yet: `make build` makes it, `make serve` makes and serves it", dir)
	}
	return root, err
}

// listen takes addr, or where its port is taken one of the next twenty.
func listen(addr string) (net.Listener, error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("-addr %q is not host:port, such as 127.0.0.1:8080", addr)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("-addr %q: the port must be a number from 0 to 65535", addr)
	}
	last := min(port+20, 65535)
	if port == 0 {
		last = 0 // the system chooses a free one
	}
	for ; ; port++ {
		listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.FormatUint(port, 10)))
		if err == nil {
			return listener, nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) || port == last {
			return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
		}
	}
}

// site answers requests from the built files.
type site struct{ files fs.FS }

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	// A figure in a sandboxed frame has an opaque origin: its own wasm and
	// modules are cross-origin to it.
	h.Set("Access-Control-Allow-Origin", "*")
	// Ask again each time: a rebuilt site must never be read from a cache.
	h.Set("Cache-Control", "no-cache")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "This server only reads files.", http.StatusMethodNotAllowed)
		return
	}

	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	folder := name == "" || strings.HasSuffix(r.URL.Path, "/")
	if folder {
		name = path.Join(name, "index.html")
	}
	info, err := stat(s.files, name)
	if err == nil && info.IsDir() {
		s.enter(w, r, name)
		return
	}
	if err != nil {
		notFound(w)
		return
	}
	s.send(w, r, name, info)
}

// enter sends a folder's page to its address with a slash, so that the
// page's relative links work; a folder without a page is not shown.
func (s site) enter(w http.ResponseWriter, r *http.Request, name string) {
	if _, err := stat(s.files, path.Join(name, "index.html")); err != nil {
		notFound(w)
		return
	}
	target := path.Base(name) + "/" // relative: the site may stand in a subfolder
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	w.Header().Set("Location", target)
	w.WriteHeader(http.StatusMovedPermanently)
}

// send answers with the file, or with its gzip twin where the browser takes
// gzip and the twin is not older than the file.
func (s site) send(w http.ResponseWriter, r *http.Request, name string, info fs.FileInfo) {
	h := w.Header()
	kind, ok := types[strings.ToLower(path.Ext(name))]
	if !ok {
		kind = "application/octet-stream"
	}
	h.Set("Content-Type", kind)
	h.Add("Vary", "Accept-Encoding")

	if twin, err := stat(s.files, name+".gz"); err == nil && twin.Mode().IsRegular() &&
		!twin.ModTime().Before(info.ModTime()) && takesGzip(r) {
		name, info = name+".gz", twin
		h.Set("Content-Encoding", "gzip")
	}
	file, err := s.files.Open(name)
	if err != nil {
		notFound(w)
		return
	}
	defer file.Close()
	content, ok := file.(io.ReadSeeker)
	if !ok {
		notFound(w)
		return
	}
	h.Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	http.ServeContent(w, r, name, info.ModTime(), content)
}

// takesGzip tells whether the request accepts gzip. A range is answered from
// the plain file.
func takesGzip(r *http.Request) bool {
	if r.Header.Get("Range") != "" {
		return false
	}
	for entry := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, parameter, weighted := strings.Cut(entry, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		if !weighted {
			return true
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(parameter), "q="), 64)
		return err == nil && q > 0
	}
	return false
}

// stat looks a name up; a name that no file can have is not found.
func stat(files fs.FS, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	return fs.Stat(files, name)
}

func notFound(w http.ResponseWriter) {
	http.Error(w, "There is no such page here. The article is at index.html.", http.StatusNotFound)
}
