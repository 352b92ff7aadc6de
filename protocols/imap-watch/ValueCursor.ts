/**
 * The values of an IMAP line, read one after the other, and those that nobody wants passed over: for long answers of
 * which little is kept. Pure. Whoever goes into a list also leaves it. What cannot be read is a fault, behind which
 * nothing stands any more. Source: RFC 3501 §4, §9.
 */
import type { Line } from "./Lines.ts"
import { closeList, endOfAtom, endsAtom, endOfQuoted, openList, quote, space, unescaped } from "./Values.ts"

/** Of a letter's code: makes it small. */
const small = 0x20
const letterN = 0x6e
const letterI = 0x69
const letterL = 0x6c

const digitZero = 0x30

/** In place of a sign: no value is next, or a literal. */
const nothing = -1
const literal = -2

export class ValueCursor {
  readonly #line: Line
  readonly #deepest: number
  /**
   * The text of the line that is read, where it stands among the parts, and its character that is next. A literal
   * follows each text but the last.
   */
  #text: string
  #part = 0
  #at: number
  /**
   * The text's first backslash from some place on that was passed already; -1: not looked for yet, `Infinity`: none.
   */
  #backslash = -1
  /** Where the value began that was read last. */
  #begun = 0
  #depth = 0
  #fault: string | undefined

  /** Stands before character `from` of the line's first part. `deepest`: lists in lists. */
  constructor(line: Line, from: number, deepest: number) {
    this.#line = line
    this.#text = line[0]!
    this.#at = from
    this.#deepest = deepest
  }

  /** Another value stands in this list. */
  get more(): boolean {
    const sign = this.#next()
    return sign !== nothing && sign !== closeList
  }

  /** The next value is a list. */
  get atList(): boolean {
    return this.#next() === openList
  }

  /** The next value is NIL. */
  get atNil(): boolean {
    if ((this.#next() | small) !== letterN) return false
    const [text, at] = [this.#text, this.#at]
    return (
      (text.charCodeAt(at + 1) | small) === letterI &&
      (text.charCodeAt(at + 2) | small) === letterL &&
      endOfAtom(text, at + 2) === at + 3
    )
  }

  /** The next value, when it is an atom or a number. */
  atom(): string | undefined {
    return isAtom(this.#next()) ? this.#word() : void this.skip()
  }

  /** Goes past the next value when it is this atom, in capitals or small. `atom`: in capitals. */
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

  /** The next value, when it is a number of at most 15 digits. */
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

  /** The next value's characters, of an atom, a quoted string or a literal. */
  word(): string | undefined {
    return this.#next() === openList ? void this.skip() : this.#word()
  }

  /** The same; NIL is no word. */
  text(): string | undefined {
    return this.atNil ? void this.skip() : this.word()
  }

  /** Goes into the next value; false when that is no list, which is passed over. */
  enter(): boolean {
    if (this.#next() !== openList) return (this.skip(), false)
    if (this.#depth >= this.#deepest) return (this.#fail("lists too deep"), false)
    this.#depth += 1
    this.#at += 1
    return true
  }

  /** Goes out of the list, past what is left of it. */
  leave(): void {
    this.#leaveTo(this.#depth - 1)
  }

  /** Past the next value, if there is one. */
  skip(): void {
    if (this.#next() !== openList) this.#pass()
    else if (this.enter()) this.leave()
  }

  /** Past all that is left: what is wrong with the line, as far as it is known by now. */
  end(): string | undefined {
    while (this.more) this.skip()
    if (this.#next() === closeList) this.#fail("a list that never began")
    return this.#fault
  }

  /** Sign by sign, not value by value: most of an answer is passed over here. */
  #leaveTo(depth: number): void {
    while (this.#depth > depth) {
      const sign = this.#next()
      if (sign === nothing) return this.#fail("a list without its end")
      if (sign === literal) this.#pass()
      else this.#passText(depth)
    }
  }

  /** To where the list ends, or else to the end of the text. */
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

  /** The sign with which the next value begins, or that the list ends with. */
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

  /** What is next and no list; undefined: nothing. */
  #word(): string | undefined {
    const text = this.#text
    const sign = this.#pass()
    if (sign === nothing || sign === closeList) return undefined
    if (sign === literal) return this.#line[this.#part - 1]
    if (sign !== quote) return text.slice(this.#begun, this.#at)
    const quoted = text.slice(this.#begun + 1, this.#at - 1)
    return this.#backslash < this.#at ? unescaped(quoted) : quoted
  }

  /** Past what is next and no list; the sign it began with. */
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

  /** By the engine's own search where no backslash is, which is nearly everywhere: it takes a third of the time. */
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
