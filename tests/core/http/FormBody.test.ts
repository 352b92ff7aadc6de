import { type Form, type FormRefusal, maxFormFields, maxFormSize, parseForm, readForm } from "#core/http/FormBody.ts"
import { listen, type Patience } from "#core/http/Listener.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { connect } from "node:net"

const fieldsOf = (read: Result.Result<Form, FormRefusal>) =>
  Result.isSuccess(read) ? [...read.success] : read.failure.status

describe("parseForm", () => {
  const text = fc.string({ unit: "binary" }).map((drawn) => drawn.toWellFormed())
  const pairs = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 12 })

  it("reads what URLSearchParams wrote", () => {
    fc.assert(
      fc.property(pairs, (fields) => {
        // A field without name and value is written as "=", which parses back to the same field.
        assert.deepStrictEqual(fieldsOf(parseForm(new URLSearchParams(fields).toString())), fields)
      })
    )
  })

  const piece = fc.constantFrom(
    "a",
    "token",
    "=",
    "&",
    "+",
    "%",
    "%4",
    "%41",
    "%zz",
    "%C3%A9",
    "%C3",
    "%ED%A0%80",
    "%00",
    "%26",
    "%3D",
    "eyJ.e-_",
    "?",
    "#",
    ";",
    " ",
    "\n"
  )

  it("agrees with URLSearchParams on accepted bodies, and names the reason for refused ones", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    const decodes = (body: string) => {
      try {
        decoder.decode(
          Buffer.from(
            body.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            "latin1"
          )
        )
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("")),
        (body) => {
          // Without the ampersand, the URLSearchParams constructor would remove a leading question mark.
          const theirs = [...new URLSearchParams(`&${body}`)]
          const read = parseForm(body)
          const repeated = new Set(theirs.map(([name]) => name)).size < theirs.length
          const badlyEscaped = /%(?![0-9a-f]{2})/i.test(body) || body.split(/[&=]/).some((part) => !decodes(part))
          assert.strictEqual(Result.isFailure(read), repeated || badlyEscaped, body)
          if (Result.isSuccess(read)) assert.deepStrictEqual([...read.success], theirs)
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it("refuses a repeated name, in any spelling", () => {
    for (const body of ["token=a&token=b", "token=a&token=", "token&token=a", "token=a&tok%65n=b", "=a&=b"])
      assert.strictEqual(fieldsOf(parseForm(body)), 400, body)
    assert.deepStrictEqual(fieldsOf(parseForm("__proto__=a&Token=b&token=c")), [
      ["__proto__", "a"],
      ["Token", "b"],
      ["token", "c"]
    ])
  })

  it("limits the fields", () => {
    const body = (fields: number) => Array.from({ length: fields }, (_, index) => `f${index}=`).join("&")
    assert.strictEqual((fieldsOf(parseForm(body(maxFormFields))) as ReadonlyArray<unknown>).length, maxFormFields)
    assert.strictEqual(fieldsOf(parseForm(body(maxFormFields + 1))), 400)
  })
})

describe("readForm", () => {
  const start = (patience?: Patience) =>
    Effect.map(
      listen({
        host: "127.0.0.1",
        port: 0,
        trusted: () => false,
        ...(patience === undefined ? {} : { patience }),
        listener: (request, response) =>
          void readForm(request).then((read) => {
            response
              .writeHead(Result.isSuccess(read) ? 200 : read.failure.status, { connection: "close" })
              .end(JSON.stringify(fieldsOf(read)))
          })
      }),
      ({ port }) => port
    )

  /** Sends the pieces one after the other. Returns all received text until the server closes. */
  const raw = (port: number, ...pieces: ReadonlyArray<string | Buffer>) =>
    Effect.promise(async () => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      let answer = ""
      const closed = new Promise<void>((resolve) => {
        socket.on("data", (chunk) => (answer += chunk.toString()))
        socket.on("error", () => {})
        socket.on("close", () => resolve())
      })
      for (const piece of pieces) {
        await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await closed
      return answer
    })

  const type = "Content-Type: application/x-www-form-urlencoded\r\n"
  const post = (length: number, head = type) => `POST / HTTP/1.1\r\nHost: a\r\n${head}Content-Length: ${length}\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

  it.live("reads a body in one piece, in several, chunked, and none at all", () =>
    Effect.gen(function* () {
      const port = yield* start()
      const token = `[["token","a.b-c_d"]]`
      assert.include(yield* raw(port, `${post(13)}token=a.b-c_d`), token)
      assert.include(yield* raw(port, post(13), "token=a.", "b-c_d"), token)
      assert.include(
        yield* raw(
          port,
          `POST / HTTP/1.1\r\nHost: a\r\n${type}Transfer-Encoding: chunked\r\n\r\n${chunk("token=a.")}`,
          `${chunk("b-c_d")}0\r\n\r\n`
        ),
        token
      )
      assert.include(yield* raw(port, post(0)), "[]")
      const parameters = "content-type: Application/X-WWW-Form-Urlencoded ; charset=utf-8\r\n"
      assert.include(yield* raw(port, `${post(13, parameters)}token=a.b-c_d`), token)
    }).pipe(Effect.scoped)
  )

  it.live("refuses other content types, encoded bodies and unescaped bytes", () =>
    Effect.gen(function* () {
      const port = yield* start()
      for (const head of [
        "",
        "Content-Type: application/json\r\n",
        "Content-Type: application/x-www-form-urlencodedx\r\n",
        `${type}Content-Encoding: gzip\r\n`
      ]) {
        assert.match(yield* raw(port, `${post(7, head)}token=a`), /^HTTP\/1\.1 415 /, head)
      }
      assert.match(yield* raw(port, post(8), Buffer.from("token=é")), /^HTTP\/1\.1 400 /)
      assert.match(yield* raw(port, `${post(8)}token=%f`), /^HTTP\/1\.1 400 /)
    }).pipe(Effect.scoped)
  )

  it.live("accepts a form of maximum size, and refuses one byte more, with or without Content-Length", () =>
    Effect.gen(function* () {
      const port = yield* start()
      const value = "x".repeat(maxFormSize - "token=".length)
      assert.include(yield* raw(port, post(maxFormSize), `token=${value}`), value)
      assert.match(yield* raw(port, post(maxFormSize + 1)), /^HTTP\/1\.1 413 /)
      const undeclared = `POST / HTTP/1.1\r\nHost: a\r\n${type}Transfer-Encoding: chunked\r\n\r\n`
      assert.match(yield* raw(port, undeclared, chunk(`token=${value}x`)), /^HTTP\/1\.1 413 /)
    }).pipe(Effect.scoped)
  )

  it.live("leaves a slow client to the listener", () =>
    Effect.gen(function* () {
      const port = yield* start({ headersTimeout: 200, requestTimeout: 400, checkInterval: 50 })
      assert.match(yield* raw(port, `${post(13)}token=a.`), /^HTTP\/1\.1 408 /)
    }).pipe(Effect.scoped)
  )
})
