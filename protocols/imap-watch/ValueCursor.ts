/**
 * The values of an IMAP line, read one after the other, and those that nobody wants passed over: for long answers of which little is kept.
 * Pure. Whoever goes into a list also leaves it. What cannot be read is a fault, behind which nothing stands any more. Source: RFC 3501 §4, §9.
 */
import type { Line } from "./Lines.ts"
import { closeList, endOfAtom, endOfQuoted, openList, quote, space, unescaped } from "./Values.ts"

/** In place of a sign: no value is next, or a literal. */
const nothing = -1
const literal = -2

export class ValueCursor {
  readonly #line: Line
  readonly #deepest: number
  /** The text of the line that is read, where it stands among the parts, and its character that is next. A literal follows each text but the last. */
  #text: string
  #part = 0
  #at: number
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

  /** The next value, when it is an atom or a number. */
  atom(): string | undefined {
    return isAtom(this.#next()) ? this.#word() : void this.skip()
  }

  /** The next value's characters, of an atom, a quoted string or a literal. */
  word(): string | undefined {
    return this.#next() === openList ? void this.skip() : this.#word()
  }

  /** The same; NIL is no word. */
  text(): string | undefined {
    const bare = isAtom(this.#next())
    const word = this.word()
    return bare && word!.length === 3 && word!.toUpperCase() === "NIL" ? undefined : word
  }

  /** Goes into the next value; false when that is no list, which is passed over. */
  enter(): boolean {
    if (this.#next() !== openList) return this.skip(), false
    if (this.#depth >= this.#deepest) return this.#fail("lists too deep"), false
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
    let at = this.#at
    for (; at < text.length && this.#depth > depth; at += 1) {
      const sign = text.charCodeAt(at)
      if (sign === quote) {
        at = endOfQuoted(text, at + 1)
        if (at === -1) return this.#fail("a string without its end")
      } else if (sign === openList) {
        if (this.#depth >= this.#deepest) return this.#fail("lists too deep")
        this.#depth += 1
      } else if (sign === closeList) this.#depth -= 1
    }
    this.#at = at
  }

  /** The sign with which the next value begins, or that the list ends with. */
  #next(): number {
    while (this.#at < this.#text.length) {
      const sign = this.#text.charCodeAt(this.#at)
      if (sign !== space) return sign
      this.#at += 1
    }
    return this.#part + 1 < this.#line.length ? literal : nothing
  }

  /** What is next and no list; undefined: nothing. */
  #word(): string | undefined {
    const text = this.#text
    const sign = this.#pass()
    if (sign === nothing || sign === closeList) return undefined
    if (sign === literal) return this.#line[this.#part - 1]
    return sign === quote ? unescaped(text.slice(this.#begun + 1, this.#at - 1)) : text.slice(this.#begun, this.#at)
  }

  /** Past what is next and no list; the sign it began with. */
  #pass(): number {
    const sign = this.#next()
    this.#begun = this.#at
    if (sign === quote) {
      const end = endOfQuoted(this.#text, this.#at + 1)
      if (end === -1) return this.#fail("a string without its end"), nothing
      this.#at = end + 1
    } else if (sign === literal) {
      this.#part += 2
      this.#text = this.#line[this.#part]!
      this.#at = 0
    } else if (isAtom(sign)) this.#at = endOfAtom(this.#text, this.#at)
    return sign
  }

  #fail(fault: string): void {
    this.#fault ??= fault
    this.#part = this.#line.length
    this.#text = ""
  }
}

const isAtom = (sign: number): boolean => sign >= 0 && sign !== quote && sign !== openList && sign !== closeList
