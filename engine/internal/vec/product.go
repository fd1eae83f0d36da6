package vec

import "gonum.org/v1/gonum/blas/blas64"

// A product goes through dst in panels of productRows rows, and through the sum
// in blocks short enough that a block of b stays in the cache. Nothing is
// copied: a kernel reads rows of a as they lie, or columns.
const (
	productRows = 4
	blockSum    = 256
)

// AddMul adds a b to dst. The sum of each element runs in order.
func AddMul(dst, a, b blas64.General) {
	if a.Rows != dst.Rows || a.Cols != b.Rows || b.Cols != dst.Cols {
		panic("vec: shapes of a product do not fit")
	}
	for from := 0; from < b.Rows; from += blockSum {
		sum := min(blockSum, b.Rows-from)
		block := b.Data[from*b.Stride:]
		r := 0
		for ; r+productRows <= dst.Rows; r += productRows {
			addRows(dst.Data[r*dst.Stride:], dst.Stride, dst.Cols, a.Data[r*a.Stride+from:], a.Stride, block, b.Stride, sum)
		}
		for ; r < dst.Rows; r++ {
			row := a.Data[r*a.Stride+from:][:sum]
			addRead(dst.Data[r*dst.Stride:r*dst.Stride+dst.Cols], row, block, b.Stride)
		}
	}
}

// AddMulT adds aᵀ b to dst. The sum of each element runs in order.
func AddMulT(dst, a, b blas64.General) {
	if a.Cols != dst.Rows || a.Rows != b.Rows || b.Cols != dst.Cols {
		panic("vec: shapes of a product do not fit")
	}
	var column [blockSum]float64
	for from := 0; from < b.Rows; from += blockSum {
		sum := min(blockSum, b.Rows-from)
		block := b.Data[from*b.Stride:]
		r := 0
		for ; r+productRows <= dst.Rows; r += productRows {
			addColumns(dst.Data[r*dst.Stride:], dst.Stride, dst.Cols, a.Data[from*a.Stride+r:], a.Stride, block, b.Stride, sum)
		}
		for ; r < dst.Rows; r++ {
			for p := range sum {
				column[p] = a.Data[(from+p)*a.Stride+r]
			}
			addRead(dst.Data[r*dst.Stride:r*dst.Stride+dst.Cols], column[:sum], block, b.Stride)
		}
	}
}

// Transpose writes aᵀ to dst.
func Transpose(dst, a blas64.General) {
	for r := range a.Rows {
		for c, x := range a.Data[r*a.Stride : r*a.Stride+a.Cols] {
			dst.Data[c*dst.Stride+r] = x
		}
	}
}

// addStrided adds a product to productRows rows of dst, from column d on: element
// (r, p) of a is a[r·down + p·right].
func addStrided(dst []float64, stride, cols int, a []float64, down, right int, b []float64, bStride, sum, d int) {
	for ; d < cols; d++ {
		for r := range productRows {
			total, o, q := dst[r*stride+d], d, r*down
			for range sum {
				total += a[q] * b[o]
				q += right
				o += bStride
			}
			dst[r*stride+d] = total
		}
	}
}
