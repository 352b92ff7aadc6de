/**
 * Reads the values of an IMAP line one after the other and can skip values, for long answers of which only a part is
 * needed. Pure. A caller that enters a list must also leave it. After a fault the cursor has no more values. Source:
 * RFC 3501 §4, §9.
 */
import type { Line } from "./Lines.ts"
import { closeList, endOfAtom, endsAtom, endOfQuoted, openList, quote, space, unescaped } from "./Values.ts"

/** Bit that makes the code of a letter lower case. */
const small = 0x20
const letterN = 0x6e
const letterI = 0x69
const letterL = 0x6c

const digitZero = 0x30

/** Results of `#next` instead of a character code: there is no next value, or it is a literal. */
const nothing = -1
const literal = -2

export class ValueCursor {
  readonly #line: Line
  readonly #deepest: number
  /**
   * The current text of the line, its index among the parts, and the index of its next character. A literal follows
   * each text except the last.
   */
  #text: string
  #part = 0
  #at: number
  /**
   * Index of the first backslash of the text after an already passed index. -1: not searched yet; `Infinity`: there is
   * none.
   */
  #backslash = -1
  /** Index at which the last read value began. */
  #begun = 0
  #depth = 0
  #fault: string | undefined

  /** Starts at character `from` of the line's first part. `deepest`: maximum nesting of lists. */
  constructor(line: Line, from: number, deepest: number) {
    this.#line = line
    this.#text = line[0]!
    this.#at = from
    this.#deepest = deepest
  }

  /** Whether the current list has another value. */
  get more(): boolean {
    const sign = this.#next()
    return sign !== nothing && sign !== closeList
  }

  /** Whether the next value is a list. */
  get atList(): boolean {
    return this.#next() === openList
  }

  /** Whether the next value is NIL. */
  get atNil(): boolean {
    if ((this.#next() | small) !== letterN) return false
    const [text, at] = [this.#text, this.#at]
    return (
      (text.charCodeAt(at + 1) | small) === letterI &&
      (text.charCodeAt(at + 2) | small) === letterL &&
      endOfAtom(text, at + 2) === at + 3
    )
  }

  /** Consumes the next value and returns it when it is an atom or a number. */
  atom(): string | undefined {
    return isAtom(this.#next()) ? this.#word() : void this.skip()
  }

  /**
   * Consumes the next value only when it is this atom, in any case, and returns whether it was. `atom`: in upper case.
   */
  goPast(atom: string): boolean {
    if (this.#next() < 0) return false
    const [text, at] = [this.#text, this.#at]
    const end = at + atom.length
    for (let index = 0; index < atom.length; index += 1) {
      const wanted = atom.charCodeAt(index)
      const sign = text.charCodeAt(at + index)
      if (sign !== wanted && sign !== (wanted | small)) return false
    }
    if (end < text.length && !endsAtom(text.charCodeAt(end))) return false
    this.#at = end
    return true
  }

  /** Consumes the next value and returns it when it is a number of at most 15 digits. */
  number(): number | undefined {
    const text = this.#text
    let at = (this.#next(), this.#at)
    let found = 0
    for (; at < text.length; at += 1) {
      const digit = text.charCodeAt(at) - digitZero
      if (digit < 0 || digit > 9) break
      found = found * 10 + digit
    }
    const digits = at - this.#at
    this.skip()
    return digits > 0 && digits <= 15 && at === this.#at ? found : undefined
  }

  /** Consumes the next value and returns the characters of an atom, a quoted string or a literal. */
  word(): string | undefined {
    return this.#next() === openList ? void this.skip() : this.#word()
  }

  /** Like `word`, but undefined for NIL. */
  text(): string | undefined {
    return this.atNil ? void this.skip() : this.word()
  }

  /** Enters the next value, which must be a list. For another value it skips the value and returns false. */
  enter(): boolean {
    if (this.#next() !== openList) return (this.skip(), false)
    if (this.#depth >= this.#deepest) return (this.#fail("lists too deep"), false)
    this.#depth += 1
    this.#at += 1
    return true
  }

  /** Leaves the current list and skips the rest of it. */
  leave(): void {
    this.#leaveTo(this.#depth - 1)
  }

  /** Skips the next value, if there is one. */
  skip(): void {
    if (this.#next() !== openList) this.#pass()
    else if (this.enter()) this.leave()
  }

  /** Skips all remaining values and returns the fault of the line, if any. */
  end(): string | undefined {
    while (this.more) this.skip()
    if (this.#next() === closeList) this.#fail("a list that never began")
    return this.#fault
  }

  /** Skips character by character instead of value by value, because most of an answer is skipped here. */
  #leaveTo(depth: number): void {
    while (this.#depth > depth) {
      const sign = this.#next()
      if (sign === nothing) return this.#fail("a list without its end")
      if (sign === literal) this.#pass()
      else this.#passText(depth)
    }
  }

  /** Skips to the end of the list, or else to the end of the text. */
  #passText(depth: number): void {
    const text = this.#text
    const deepest = this.#deepest
    let at = this.#at
    let now = this.#depth
    for (; at < text.length && now > depth; at += 1) {
      const sign = text.charCodeAt(at)
      if (sign === quote) {
        at = this.#endOfQuoted(at + 1)
        if (at === -1) return this.#fail("a string without its end")
      } else if (sign === openList) {
        if (now >= deepest) return this.#fail("lists too deep")
        now += 1
      } else if (sign === closeList) now -= 1
    }
    this.#depth = now
    this.#at = at
  }

  /** The first character code of the next value, or the closing parenthesis of the list. */
  #next(): number {
    const text = this.#text
    for (let at = this.#at; at < text.length; at += 1) {
      const sign = text.charCodeAt(at)
      if (sign === space) continue
      this.#at = at
      return sign
    }
    this.#at = text.length
    return this.#part + 1 < this.#line.length ? literal : nothing
  }

  /** Consumes the next value, which is not a list; undefined when there is none. */
  #word(): string | undefined {
    const text = this.#text
    const sign = this.#pass()
    if (sign === nothing || sign === closeList) return undefined
    if (sign === literal) return this.#line[this.#part - 1]
    if (sign !== quote) return text.slice(this.#begun, this.#at)
    const quoted = text.slice(this.#begun + 1, this.#at - 1)
    return this.#backslash < this.#at ? unescaped(quoted) : quoted
  }

  /** Skips the next value, which is not a list, and returns the character code it began with. */
  #pass(): number {
    const sign = this.#next()
    this.#begun = this.#at
    if (sign === quote) {
      const end = this.#endOfQuoted(this.#at + 1)
      if (end === -1) return (this.#fail("a string without its end"), nothing)
      this.#at = end + 1
    } else if (sign === literal) {
      this.#part += 2
      this.#text = this.#line[this.#part]!
      this.#at = 0
      this.#backslash = -1
    } else if (isAtom(sign)) this.#at = endOfAtom(this.#text, this.#at)
    return sign
  }

  /**
   * Searches with indexOf where there is no backslash, which is nearly always the case: it takes a third of the time.
   */
  #endOfQuoted(from: number): number {
    const text = this.#text
    if (this.#backslash < from) {
      const found = text.indexOf("\\", from)
      this.#backslash = found === -1 ? Infinity : found
    }
    const end = text.indexOf('"', from)
    return this.#backslash < end ? endOfQuoted(text, from) : end
  }

  #fail(fault: string): void {
    this.#fault ??= fault
    this.#part = this.#line.length
    this.#text = ""
  }
}

const isAtom = (sign: number): boolean => sign >= 0 && sign !== quote && sign !== openList && sign !== closeList
