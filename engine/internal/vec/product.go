package vec

import "gonum.org/v1/gonum/blas/blas64"

// A product goes through a in panels of panelRows rows, and through the sum in
// blocks short enough that a block of b stays in the cache. A panel is copied
// to a scratch array first, one column after the other, so that the kernel
// reads it in order.
const (
	panelRows = 4
	blockSum  = 256
)

// AddMul adds a b to dst. The sum of each element runs in order.
func AddMul(dst, a, b blas64.General) {
	if a.Rows != dst.Rows || a.Cols != b.Rows || b.Cols != dst.Cols {
		panic("vec: shapes of a product do not fit")
	}
	addMul(dst, a.Data, a.Stride, 1, b)
}

// AddMulT adds aᵀ b to dst. The sum of each element runs in order.
func AddMulT(dst, a, b blas64.General) {
	if a.Cols != dst.Rows || a.Rows != b.Rows || b.Cols != dst.Cols {
		panic("vec: shapes of a product do not fit")
	}
	addMul(dst, a.Data, 1, a.Stride, b)
}

// addMul adds the product of b and a matrix whose element (r, p) is
// a[r·down + p·right].
func addMul(dst blas64.General, a []float64, down, right int, b blas64.General) {
	var scratch [panelRows * blockSum]float64
	for from := 0; from < b.Rows; from += blockSum {
		n := min(blockSum, b.Rows-from)
		block := b.Data[from*b.Stride:]
		r := 0
		for ; r+panelRows <= dst.Rows; r += panelRows {
			panel := scratch[:panelRows*n]
			pack(panel, a[r*down+from*right:], down, right)
			addPanel(dst.Data[r*dst.Stride:], dst.Stride, dst.Cols, panel, block, b.Stride)
		}
		for ; r < dst.Rows; r++ {
			row := scratch[:n]
			for p := range row {
				row[p] = a[r*down+(from+p)*right]
			}
			addRead(dst.Data[r*dst.Stride:r*dst.Stride+dst.Cols], row, block, b.Stride)
		}
	}
}

// pack copies panelRows rows of a to panel, column by column.
func pack(panel, a []float64, down, right int) {
	o := 0
	for p := 0; p+panelRows <= len(panel); p += panelRows {
		to := panel[p : p+panelRows : p+panelRows]
		to[0], to[1], to[2], to[3] = a[o], a[o+down], a[o+2*down], a[o+3*down]
		o += right
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

// addPanelColumns is addPanel for the columns that are left over, from d on.
func addPanelColumns(dst []float64, stride, cols int, panel, b []float64, bStride, d int) {
	for ; d < cols; d++ {
		for r := range panelRows {
			sum, o := dst[r*stride+d], d
			for p := r; p < len(panel); p += panelRows {
				sum += panel[p] * b[o]
				o += bStride
			}
			dst[r*stride+d] = sum
		}
	}
}
