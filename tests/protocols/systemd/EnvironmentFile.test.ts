import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { parseEnvironmentFile } from "#protocols/systemd/EnvironmentFile.ts"

it.each([
  [
    "A=1\nB = two words \n",
    [
      ["A", "1"],
      ["B", "two words"]
    ]
  ],
  ["# A=1\n; B=2\n  C=3", [["C", "3"]]],
  ["# ends in a backslash \\\nA=1", [["A", "1"]]],
  [
    `A="a \\" \\\\ \\$x \\n" b\nB='it "is" \\n'`,
    [
      ["A", 'a " \\ $x \\n' + "b"],
      ["B", 'it "is" \\n']
    ]
  ],
  [
    "A=one\\\ntwo\\ \nB=x\\y",
    [
      ["A", "onetwo "],
      ["B", "xy"]
    ]
  ],
  ['A="first\nsecond"', [["A", "first\nsecond"]]],
  [
    "A=it's $HOME\nB=\nC",
    [
      ["A", "it's $HOME"],
      ["B", ""]
    ]
  ],
  ["export A=1\n2B=1\nÄ=1\nC=a\u0007b\nD=1\r\n", [["D", "1"]]],
  [
    "A=1\nA=2",
    [
      ["A", "1"],
      ["A", "2"]
    ]
  ],
  [
    "DATABASE_URL=postgres://a:p%23w@h/d?sslmode=require#x",
    [["DATABASE_URL", "postgres://a:p%23w@h/d?sslmode=require#x"]]
  ],
  ["A='open\nB=2", [["A", "open\nB=2"]]]
] as const)("%j", (text, expected) => {
  expect(parseEnvironmentFile(text)).toEqual(expected)
})

/** A program of systemd that reads a file with the same parser, expands variables and prints the result. */
const generator = "/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator"

describe.skipIf(!existsSync(generator))("systemd's own parser", () => {
  const home = mkdtempSync(join(tmpdir(), "signalbox-env-"))
  afterAll(() => rmSync(home, { recursive: true }))
  const folder = join(home, ".config/environment.d")
  mkdirSync(folder, { recursive: true })

  it("agrees on any file", () => {
    const word = fc.string({ unit: fc.constantFrom(..."ab=#;'\"\\ \t"), maxLength: 8 })
    const line = fc.tuple(fc.constantFrom("A", "B", "C"), fc.constantFrom("", " "), word)
    const texts = fc
      .sample(fc.array(line, { maxLength: 5 }), 300)
      .map((lines, n) => lines.map(([name, space, value]) => `${space}${name}_${n}${space}=${value}\n`).join(""))
    for (const [n, text] of texts.entries()) writeFileSync(join(folder, `${n}.conf`), text)
    const printed = execFileSync(generator, {
      env: { HOME: home },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
    const theirs = new Map(
      printed
        .split("\n")
        .filter((one) => /^[ABC]_\d+=/.test(one))
        .map((one) => {
          const [name, value] = [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]
          return [name, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value] as const
        })
    )
    for (const text of texts) {
      // This program ignores assignments of nothing.
      const ours = new Map(parseEnvironmentFile(text).filter(([, value]) => value !== ""))
      for (const [name, value] of ours) {
        // It prints values with control characters in another form.
        if (!/[\n\t]/.test(value)) expect([text, value]).toEqual([text, theirs.get(name)])
        theirs.delete(name)
      }
    }
    expect([...theirs.keys()]).toEqual([])
  })
})
