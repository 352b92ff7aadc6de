import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { type Encoding, encodingFrom, encodings } from "#core/lane/Encoding.ts"

describe("the chosen encoding", () => {
  it.each<[string | undefined, Encoding]>([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP , BR", "br"],
    ["x-gzip", "gzip"],
    ["gzip;q=1.0, br;q=0.8", "gzip"],
    ["gzip;q=0.5, identity", "identity"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0, br;q=0.000", "identity"],
    ["*", "br"],
    ["*;q=0.3, br;q=0", "gzip"],
    ["gzip, *;q=0", "gzip"],
    ["identity;q=0", "identity"],
    ["identity;q=0, gzip;q=0.001", "gzip"],
    ["*;q=0", "identity"],
    ["br;q=1.5, gzip;q=abc", "identity"],
    ["br;q=-1", "identity"],
    ["br;level=3;q=1, gzip;q=0.1", "gzip"],
    ["deflate", "identity"],
    [`${"a, ".repeat(200)}gzip`, "identity"]
  ])("%s: %s", (header, encoding) => expect(encodingFrom(header)).toBe(encoding))

  it("is an existing one for any header", () => {
    const item = fc
      .tuple(
        fc.constantFrom("br", "gzip", "identity", "*", "zstd", ""),
        fc.constantFrom("", ";q=0", ";q=0.5", ";q=1", ";q", ";;")
      )
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(item).map((items) => items.join(", "))
        ),
        (text) => {
          expect(encodings).toContain(encodingFrom(text))
        }
      )
    )
  })
})
