package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// built lays a small site out in a folder and returns the folder; a secret
// file lies beside it, and a symbolic link inside leads to that.
func built(t *testing.T) string {
	t.Helper()
	parent := t.TempDir()
	dir := filepath.Join(parent, "dist")
	for name, text := range map[string]string{
		"index.html":         "<p>article",
		"stage.wasm":         "\x00asm long enough",
		"page.js":            "export {}",
		"style.css":          "p{}",
		"chart.svg":          "<svg/>",
		"data.bin":           "bytes",
		"part/index.html":    "<p>part",
		"pictures/one.png":   "png",
		"stale.js":           "new",
		"a name with space":  "x",
		"../secret":          "secret",
		"../secret.d/secret": "secret",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	write(t, filepath.Join(dir, "stage.wasm.gz"), zipped(t, "\x00asm long enough"))
	write(t, filepath.Join(dir, "stale.js.gz"), zipped(t, "old"))
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "stale.js.gz"), before, before); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ask sends one request to the site in dir; headers come as name, value, ….
func ask(t *testing.T, dir, method, target string, headers ...string) *http.Response {
	t.Helper()
	root, err := openSite(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	r := httptest.NewRequest(method, "http://127.0.0.1/", nil)
	raw, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery = raw, query // as the server sees it, unescaped
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	site{root.FS()}.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnswers(t *testing.T) {
	dir := built(t)
	for _, c := range []struct {
		name, target string
		status       int
		kind, text   string
	}{
		{"the root is the article", "/", 200, "text/html; charset=utf-8", "<p>article"},
		{"wasm has the type that streaming asks for", "/stage.wasm", 200, "application/wasm", "\x00asm long enough"},
		{"a script is text/javascript", "/page.js", 200, "text/javascript; charset=utf-8", "export {}"},
		{"a style sheet is text/css", "/style.css", 200, "text/css; charset=utf-8", "p{}"},
		{"a drawing is image/svg+xml", "/chart.svg", 200, "image/svg+xml", "<svg/>"},
		{"an unknown ending is bytes", "/data.bin", 200, "application/octet-stream", "bytes"},
		{"a name may have spaces", "/a name with space", 200, "application/octet-stream", "x"},
		{"a folder with a page shows its page", "/part/", 200, "text/html; charset=utf-8", "<p>part"},
		{"a folder without a page is not listed", "/pictures/", 404, "text/plain; charset=utf-8", ""},
		{"nor is it without its slash", "/pictures", 404, "text/plain; charset=utf-8", ""},
		{"a missing file is a sentence", "/none", 404, "text/plain; charset=utf-8",
			"There is no such page here. The article is at index.html.\n"},
		{"dots do not climb out", "/../secret", 404, "text/plain; charset=utf-8", ""},
		{"nor from below", "/part/../../secret", 404, "text/plain; charset=utf-8", ""},
		{"nor into a folder beside it", "/../secret.d/", 404, "text/plain; charset=utf-8", ""},
		{"nor with backslashes", `/..\secret`, 404, "text/plain; charset=utf-8", ""},
		{"nor by an absolute name", "//etc/passwd", 404, "text/plain; charset=utf-8", ""},
		{"a link that leads out is refused", "/link.txt", 404, "text/plain; charset=utf-8", ""},
		{"a NUL is no name", "/page.js\x00", 404, "text/plain; charset=utf-8", ""},
		{"an empty path is the article", "", 200, "text/html; charset=utf-8", "<p>article"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ask(t, dir, "GET", c.target)
			text := body(t, r)
			if r.StatusCode != c.status || r.Header.Get("Content-Type") != c.kind {
				t.Errorf("%s: got %d %s, want %d %s", c.target, r.StatusCode, r.Header.Get("Content-Type"), c.status, c.kind)
			}
			if c.text != "" && text != c.text {
				t.Errorf("%s: got %q, want %q", c.target, text, c.text)
			}
			if strings.Contains(text, "secret") || strings.Contains(text, "one.png") {
				t.Errorf("%s gave away %q", c.target, text)
			}
		})
	}
}

func TestEveryAnswerCarriesThePolicy(t *testing.T) {
	dir := built(t)
	for _, target := range []string{"/", "/stage.wasm", "/none", "/part"} {
		h := ask(t, dir, "GET", target).Header
		for name, want := range map[string]string{
			"Content-Security-Policy":     policy,
			"Access-Control-Allow-Origin": "*",
			"X-Content-Type-Options":      "nosniff",
			"Cache-Control":               "no-cache",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", target, name, got, want)
			}
		}
		if h.Get("X-Frame-Options") != "" || strings.Contains(policy, "frame-ancestors") {
			t.Errorf("%s forbids framing, and figures are made to be embedded", target)
		}
	}
}

func TestFolderWithoutSlashMovesToItsRelativeAddress(t *testing.T) {
	r := ask(t, built(t), "GET", "/part?figure=duel")
	if r.StatusCode != 301 || r.Header.Get("Location") != "part/?figure=duel" {
		t.Errorf("got %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestGzip(t *testing.T) {
	dir := built(t)
	for _, c := range []struct {
		name, target, accept, want string
	}{
		{"a browser that takes gzip gets the twin", "/stage.wasm", "gzip, deflate, br", "gzip"},
		{"also by weight", "/stage.wasm", "br;q=1, gzip;q=0.5", "gzip"},
		{"weight zero refuses it", "/stage.wasm", "gzip;q=0", ""},
		{"a bad weight refuses it", "/stage.wasm", "gzip;q=much", ""},
		{"no header, no gzip", "/stage.wasm", "", ""},
		{"a file without a twin is sent plain", "/page.js", "gzip", ""},
		{"a twin older than its file is not sent", "/stale.js", "gzip", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ask(t, dir, "GET", c.target, "Accept-Encoding", c.accept)
			if got := r.Header.Get("Content-Encoding"); got != c.want {
				t.Fatalf("encoding is %q, want %q", got, c.want)
			}
			if r.Header.Get("Vary") != "Accept-Encoding" {
				t.Error("Vary does not name Accept-Encoding")
			}
			if c.want == "gzip" {
				z, err := gzip.NewReader(r.Body)
				if err != nil {
					t.Fatal(err)
				}
				plain, err := io.ReadAll(z)
				if err != nil || string(plain) != "\x00asm long enough" {
					t.Errorf("unpacked to %q, %v", plain, err)
				}
				if r.Header.Get("Content-Type") != "application/wasm" {
					t.Errorf("type is %q", r.Header.Get("Content-Type"))
				}
			}
		})
	}
	if r := ask(t, dir, "GET", "/stage.wasm", "Accept-Encoding", "gzip", "Range", "bytes=0-3"); r.StatusCode != 206 || body(t, r) != "\x00asm" {
		t.Errorf("a range got %d, want the plain file's first four bytes", r.StatusCode)
	}
}

func TestUnchangedFileIsNotSentAgain(t *testing.T) {
	dir := built(t)
	tag := ask(t, dir, "GET", "/stage.wasm").Header.Get("ETag")
	if r := ask(t, dir, "GET", "/stage.wasm", "If-None-Match", tag); r.StatusCode != 304 {
		t.Errorf("the same file got %d, want 304", r.StatusCode)
	}
	write(t, filepath.Join(dir, "stage.wasm"), "\x00asm rebuilt")
	if r := ask(t, dir, "GET", "/stage.wasm", "If-None-Match", tag); r.StatusCode != 200 {
		t.Errorf("a rebuilt file got %d, want 200", r.StatusCode)
	}
}

func TestOnlyReading(t *testing.T) {
	dir := built(t)
	if r := ask(t, dir, "HEAD", "/page.js"); r.StatusCode != 200 || body(t, r) != "" {
		t.Errorf("HEAD got %d", r.StatusCode)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		if r := ask(t, dir, method, "/page.js"); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s got %d", method, r.StatusCode)
		}
	}
}

func TestBadFlagsAreSentences(t *testing.T) {
	dir := built(t)
	for _, c := range []struct{ name, addr, dir, want string }{
		{"a missing site names the command that makes it", "127.0.0.1:0", filepath.Join(dir, "none"), "`make build` makes it"},
		{"an address without a port", "localhost", dir, "is not host:port"},
		{"a port that is no number", "127.0.0.1:http", dir, "a number from 0 to 65535"},
		{"a port out of range", "127.0.0.1:70000", dir, "a number from 0 to 65535"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := run(c.addr, c.dir, io.Discard)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want a sentence with %q", err, c.want)
			}
		})
	}
}

func TestTakenPortMovesOn(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := listen(first.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	a, b := first.Addr().(*net.TCPAddr).Port, second.Addr().(*net.TCPAddr).Port
	if b <= a || b > a+20 {
		t.Errorf("port %d was taken, got %d", a, b)
	}
}

func TestServesUntilInterrupted(t *testing.T) {
	lines, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run("127.0.0.1:0", built(t), out) }()
	var address string
	if _, err := fmt.Fscanf(lines, "Unrolled is at %s", &address); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, lines)
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if got := body(t, r); got != "<p>article" {
		t.Errorf("got %q from %s", got, address)
	}
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("an interrupt ended in %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("an interrupt did not stop the server")
	}
}

// TestTreeHoldsWhatAStrangerMayRead looks at every tracked file: versions are
// pinned, the lock names no host, nothing is left to do, nothing built is kept.
func TestTreeHoldsWhatAStrangerMayRead(t *testing.T) {
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	unfinished := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
	host := regexp.MustCompile(`"resolved":\s*"https?:`)
	built := regexp.MustCompile(`\.(wasm|gz|br|test)$|^dist/|(^|/)node_modules/`)
	const longest = 450 // lines of a source file
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if built.MatchString(name) {
			t.Errorf("%s is built and does not belong in the repository", name)
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue // a picture
		}
		if m := unfinished.Find(text); m != nil {
			t.Errorf("%s says %q", name, m)
		}
		if path.Base(name) == "package-lock.json" {
			if m := host.Find(text); m != nil {
				t.Errorf("%s names a host; run npm with omit-lockfile-registry-resolved", name)
			}
			continue
		}
		switch path.Ext(name) {
		case ".go", ".ts", ".mjs", ".css":
			if n := bytes.Count(text, []byte("\n")); n > longest {
				t.Errorf("%s has %d lines, more than %d: split it", name, n, longest)
			}
		}
		if path.Base(name) == "package.json" {
			pinned(t, name, text)
		}
	}
}

// pinned fails for every dependency of a package.json that is not one exact version.
func pinned(t *testing.T, name string, text []byte) {
	t.Helper()
	var manifest struct {
		Dependencies, DevDependencies, OptionalDependencies, PeerDependencies map[string]string
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[\w.]+)?$`)
	for _, group := range []map[string]string{manifest.Dependencies, manifest.DevDependencies,
		manifest.OptionalDependencies, manifest.PeerDependencies} {
		for dependency, version := range group {
			if !exact.MatchString(version) {
				t.Errorf("%s: %s is %q, not one exact version", name, dependency, version)
			}
		}
	}
}
