// Goroutines that call a function while their stacks grow, so that the runtime moves the stacks. Prints how often it was
// called and a checksum that does not depend on tracing.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

//go:noinline
func leaf(a uint64, b uint64) uint64 { return a*31 + b }

//go:noinline
func grow(depth int, seed uint64) uint64 {
	var block [64]uint64
	block[depth&63] = leaf(seed, uint64(depth))
	if depth == 0 {
		return block[0]
	}
	return grow(depth-1, block[depth&63]) ^ block[depth&63]
}

// The number of the goroutine, from the text of its stack: the language has no other way.
func ownNumber() uint64 {
	text := make([]byte, 64)
	words := strings.Fields(string(text[:runtime.Stack(text, false)]))
	number, _ := strconv.ParseUint(words[1], 10, 64)
	return number
}

//go:noinline
func observe(number uint64) uint64 { return leaf(number, 1) }

//go:noinline
func describe(text string, factor int, list []int) int { return len(text)*factor + len(list) }

// Other goroutines run on this thread, and this one may go on in another thread, before it returns.
//
//go:noinline
func handOver(number uint64, out chan uint64, back chan uint64) uint64 {
	out <- number
	runtime.Gosched()
	<-back
	return number
}

// Goroutines call handOver(), and others answer them.
func mix(routines int) {
	const turns = 500
	out, back := make(chan uint64), make(chan uint64)
	var group sync.WaitGroup
	for i := 0; i < routines; i++ {
		group.Add(2)
		go func(i int) {
			defer group.Done()
			for n := 0; n < turns; n++ {
				handOver(uint64(i*turns+n+1), out, back)
			}
		}(i)
		go func() {
			defer group.Done()
			for n := 0; n < turns; n++ {
				back <- <-out
			}
		}()
	}
	group.Wait()
}

func main() {
	if describe("some text", 3, []int{5, 6}) != 29 {
		os.Exit(1)
	}
	calls, routines := 100000, 8
	if len(os.Args) > 1 {
		calls, _ = strconv.Atoi(os.Args[1])
	}
	if len(os.Args) > 2 {
		routines, _ = strconv.Atoi(os.Args[2])
	}
	mix(routines)
	sums := make([]uint64, routines)
	var group sync.WaitGroup
	const depth = 99 // 100 calls of leaf() for each chain
	for i := range sums {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			sums[i] = observe(ownNumber()) * 0
			for n := 0; n < calls/routines/(depth+1); n++ {
				done := make(chan uint64)
				// A new goroutine begins with a small stack.
				go func(seed uint64) { done <- grow(depth, seed) }(uint64(i*1000 + n))
				sums[i] ^= <-done
			}
		}(i)
	}
	group.Wait()
	total := uint64(0)
	for _, sum := range sums {
		total += sum
	}
	fmt.Println(total)
}
