/**
 * Invoices by the last digits of their numbers, for texts that have nothing else of a number. Digits are compared as
 * integers in typed arrays, because comparing texts costs ten times as much.
 */

/** Fewest digits under which an invoice is found. Unit: digits. */
const tailDigits = 4

/** Longest digits that are an integer without loss. Unit: digits. */
const mostDigits = 15

/** Longest list of candidates from one run of digits. Reason: that many equal endings prove nothing. */
const mostOfOne = 64

const powers = Array.from({ length: mostDigits + 1 }, (_, exponent) => 10 ** exponent)
const tails = powers[tailDigits]!

const isDigit = (code: number) => code >= 48 && code <= 57

/** The integer of the last digits of a text without its other characters, and their number. */
const digitsOf = (text: string): readonly [value: number, digits: number] => {
  const digits = text.replaceAll(/\D/g, "").slice(-mostDigits)
  return [Number(digits), digits.length]
}

/**
 * Makes the search: calls `take` with the positions of numbers that end with a run of digits of the text, or whose
 * digits end such a run. A run that too many numbers share counts as none.
 */
export const make = (numbers: ReadonlyArray<string>) => {
  const values = new Float64Array(numbers.length)
  const lengths = new Uint8Array(numbers.length)
  const counts = new Int32Array(tails + 1)
  for (const [at, number] of numbers.entries()) {
    const [value, digits] = digitsOf(number)
    values[at] = value
    lengths[at] = digits
    if (digits >= tailDigits) counts[(value % tails) + 1]!++
  }
  // Positions by their tail: those of tail t stand from starts[t] to starts[t + 1].
  const starts = counts
  for (let tail = 0; tail < tails; tail++) starts[tail + 1]! += starts[tail]!
  const next = starts.slice()
  const positions = new Int32Array(starts[tails]!)
  for (let at = 0; at < numbers.length; at++)
    if (lengths[at]! >= tailDigits) positions[next[values[at]! % tails]!++] = at

  const found = new Int32Array(mostOfOne)
  const search = (run: number, digits: number, take: (position: number) => void) => {
    const tail = run % tails
    let count = 0
    for (let place = starts[tail]!; place < starts[tail + 1]!; place++) {
      const at = positions[place]!
      const common = Math.min(digits, lengths[at]!)
      // The difference is a multiple of the power. The remainder of a division would cost a function call.
      if (common > tailDigits && !Number.isInteger((values[at]! - run) / powers[common]!)) continue
      if (count === mostOfOne) return
      found[count++] = at
    }
    for (let place = 0; place < count; place++) take(found[place]!)
  }

  return (text: string, take: (position: number) => void): void => {
    let value = 0
    let digits = 0
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0
      if (isDigit(code)) {
        // Of a longer run, the last digits count.
        value = (digits >= mostDigits ? value % powers[mostDigits - 1]! : value) * 10 + code - 48
        digits = Math.min(digits + 1, mostDigits)
      } else {
        if (digits >= tailDigits) search(value, digits, take)
        value = 0
        digits = 0
      }
    }
  }
}
