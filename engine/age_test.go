package engine

import (
	"math"
	"testing"
)

// The published toy: 6 later updates at α = 0.90 and 34 at α = 0.98, and newest
// over oldest 0.0276 at T = 64. Exact values from (1−α)/(1−α^T) and
// ln 2 / −ln α, computed by hand.
func TestHalfLivesAndRatiosOfThePublishedToy(t *testing.T) {
	for _, c := range []struct {
		alpha      float64
		own, limit int
		ratio      float64 // newest/oldest at T = 64, to six decimals
	}{
		{0, 0, 0, 1},
		{0.5, 0, 0, 0.500000},
		{0.9, 6, 6, 0.100118},
		{0.95, 12, 13, 0.051949},
		{0.98, 22, 34, 0.027565},
		{0.99, 26, 68, 0.021079},
	} {
		alpha := Constant(c.alpha).Expand(64)
		if own := HalfLife(alpha, 0); own != c.own {
			t.Errorf("α=%v: own half-life %d, want %d", c.alpha, own, c.own)
		}
		if limit, ok := HalfLifeLimit(c.alpha); !ok || limit != c.limit {
			t.Errorf("α=%v: half-life of the limit %d (%v), want %d", c.alpha, limit, ok, c.limit)
		}
		row := AgeRow(alpha, 63)
		if ratio := row[63] / row[0]; !(math.Abs(ratio-c.ratio) < 5e-7) {
			t.Errorf("α=%v: newest/oldest %.6f, want %.6f", c.alpha, ratio, c.ratio)
		}
	}
}

// The ratio tells T = 64 from its neighbours (0.02778 and 0.02736, rounded by
// hand), so an off-by-one in the length is seen.
func TestNewestOverOldestDependsOnLength(t *testing.T) {
	for n, want := range map[int]float64{63: 0.02778, 65: 0.02736} {
		row := AgeRow(Constant(0.98).Expand(n), n-1)
		if ratio := row[n-1] / row[0]; !(math.Abs(ratio-want) < 5e-6) {
			t.Errorf("T=%d: newest/oldest %.5f, want %.5f", n, ratio, want)
		}
	}
}

// Recurrence, Horner's rule, running sum and the definition agree.
func TestAgeMultipliersByFourWays(t *testing.T) {
	for name, schedule := range map[string]Schedule{
		"α=0": nil, "α=0.9": Constant(0.9), "α=1": Constant(1), "α varies": varying(30), "α negative": Constant(-0.7),
	} {
		alpha := schedule.Expand(30)
		c := AgeMatrix(alpha)
		for read := range alpha {
			row := AgeRow(alpha, read)
			if len(row) != read+1 {
				t.Fatalf("%s: row %d has %d multipliers", name, read, len(row))
			}
			for i := range alpha {
				want := 0.0
				if i <= read {
					want = ageByDefinition(alpha, read, i)
					column := AgeColumn(alpha, i)
					if !(math.Abs(row[i]-want) < 1e-12*math.Max(1, want)) || !(math.Abs(column[read-i]-want) < 1e-12*math.Max(1, want)) {
						t.Errorf("%s: c_%d^%d is %v by Horner, %v by the sum, %v by definition", name, i, read, row[i], column[read-i], want)
					}
				}
				if !(math.Abs(c.At(read, i)-want) < 1e-12*math.Max(1, want)) {
					t.Errorf("%s: C has %v at (%d, %d), not %v", name, c.At(read, i), read, i, want)
				}
			}
		}
		if len(schedule) < 2 {
			for n, x := range AgeColumn(alpha, 0) {
				if closed := AgeClosed(schedule.At(0), n); !(math.Abs(x-closed) < 1e-12*closed) {
					t.Errorf("%s: closed form %v after %d updates, the sum is %v", name, closed, n, x)
				}
			}
		}
	}
}

func TestHalfLifeFollowsTheToken(t *testing.T) {
	alpha := Constant(0.98).Expand(64)
	if n := HalfLife(alpha, 63); n != 0 {
		t.Errorf("the last token needs %d updates for half of what it has; want 0", n)
	}
	// c after n updates is 1 + α + … + αⁿ: token 62 ends at 1.98 and has 1 ≥ 0.99 at once.
	if n := HalfLife(alpha, 62); n != 0 {
		t.Errorf("the last token but one needs %d updates; want 0", n)
	}
	// Token 60 ends at 3.8816 and passes 1.9408 with 1 + 0.98 = 1.98, after one update.
	if n := HalfLife(alpha, 60); n != 1 {
		t.Errorf("token 60 needs %d updates; want 1", n)
	}
}

func TestHalfLifeLimitExistsOnlyForConstantMomentumBelowOne(t *testing.T) {
	for _, alpha := range []float64{1, 1.1, -0.1, math.NaN(), math.Inf(1)} {
		if n, ok := HalfLifeLimit(alpha); ok {
			t.Errorf("α=%v: half-life %d of a limit that does not exist", alpha, n)
		}
	}
	for alpha := 0.001; alpha < 0.9999; alpha += 0.001 {
		want := 0
		for 1-math.Pow(alpha, float64(want+1)) < 0.5 {
			want++
		}
		if n, _ := HalfLifeLimit(alpha); n != want {
			t.Errorf("α=%v: half-life %d, by counting %d", alpha, n, want)
		}
	}
}
