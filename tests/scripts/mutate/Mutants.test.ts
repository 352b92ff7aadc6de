import { describe, expect, it } from "vitest"
import { draw } from "../../../scripts/mutate/Draw.ts"
import { mutantsOf, mutate } from "../../../scripts/mutate/Mutants.ts"

const mutated = (text: string, file = "core/A.ts") => mutantsOf(file, text).map((mutant) => mutate(text, mutant))

describe("mutants", () => {
  it.each([
    ["f = (a) => a < b", ["f = (a) => a <= b"]],
    ["f = (a) => a === b", ["f = (a) => a !== b"]],
    ["f = a && b", ["f = a || b"]],
    ["f = !a", ["f = a"]],
    ["x = a ? b : c", ["x = (c)", "x = !(a) ? b : c"]],
    ["if (a) b()", ["if (!(a)) b()", "if (false) b()"]],
    ["f(7, true)", ["f(8, true)", "f(7, false)"]],
    ["x = [a, ...b, c]", ["x = [...b, c]", "x = [a, ...b]"]],
    ["function* f() { yield* g(a) }", ["function* f() { ; }"]],
    [`x = tag("word")`, [`x = tag("")`]]
  ])("of %s", (text, expected) => {
    const statement = /^f\(|^x =|^f =/.test(text) ? [";"] : text.startsWith("if") ? ["if (a) ;"] : []
    expect(mutated(text).sort()).toEqual([...expected, ...statement].sort())
  })

  it.each([
    `import { a } from "b"; export * from "c"; const d = () => import("e")`,
    `type A = "b" | 3; const c = d as "e"; interface F { readonly g: true }`,
    `const a = { description: b("c"), message: "d" + 1 }`,
    `const a = "two words"; const b = c("Not one word")`,
    `const f = Effect.fn("name")(g); class A extends Context.Service<A, B>()("a/A") {}`,
    `function* f() { yield* Effect.logInfo("word", a) }`,
    `class A extends B { constructor() { super(a) } }`
  ])("has none in %s", (text) => {
    expect(mutated(text)).toEqual([])
  })

  it("leaves the words of a table alone", () => {
    expect(mutated(`const de = { off: "aus", all: [a] }`, "core/html/Words.ts")).toEqual([])
  })

  it("has the line and the range of the original", () => {
    expect(mutantsOf("core/A.ts", "const a =\n  b > c\n")).toEqual([
      { file: "core/A.ts", line: 2, kind: "swap a comparison", start: 14, end: 15, original: ">", replacement: ">=" }
    ])
  })
})

describe("a draw", () => {
  const files = [1, 2, 3].map((n) => ({ path: `core/${n}.ts`, text: "const a = [b && c, d < e, f || g]\n".repeat(n) }))

  it("repeats with its seed and has no mutant twice", () => {
    const all = files.flatMap(({ path, text }) => mutantsOf(path, text)).length
    const drawn = draw(files, 7, 1000)
    expect(drawn).toEqual(draw(files, 7, 1000))
    expect(drawn).not.toEqual(draw(files, 8, 1000))
    expect(new Set(drawn).size).toBe(all)
  })

  it("prefers long files", () => {
    const firsts = Array.from({ length: 600 }, (_, seed) => draw(files, seed, 1)[0]!.file)
    const shares = files.map(({ path }) => firsts.filter((file) => file === path).length / 600)
    expect(shares[0]).toBeLessThan(shares[1]!)
    expect(shares[1]).toBeLessThan(shares[2]!)
  })
})
