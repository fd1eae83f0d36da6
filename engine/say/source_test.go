package say

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// vet knows fmt's verbs, not this package's fewer ones.
func TestEveryFormatInTheSourceIsOneThisPackageKnows(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !fromSay(call) {
				return true
			}
			if literal, ok := call.Args[0].(*ast.BasicLit); ok {
				found++
				format, _ := strconv.Unquote(literal.Value)
				if why := trouble(format, len(call.Args)-1); why != "" {
					t.Errorf("%s: %q: %s", path, format, why)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Skipf("no source tree here: %v", err)
	}
	t.Logf("%d formats read", found)
}

func fromSay(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	name, ok := selector.X.(*ast.Ident)
	return ok && name.Name == "say"
}

// trouble runs a format with stand-in arguments and returns what it says of it.
func trouble(format string, args int) (why string) {
	defer func() {
		if said := recover(); said != nil {
			why = said.(string)
		}
	}()
	standIns := make([]any, args)
	for i := range standIns {
		standIns[i] = "x"
	}
	_ = Sprintf(format, standIns...)
	return ""
}
