import { Effect, Result } from "effect"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { embeddingLayout, embedWindow } from "#protocols/wake-word/Embedding.ts"
import { writeEmbedding } from "#protocols/wake-word/EmbeddingModel.ts"
import { clipRows } from "#protocols/wake-word/Features.ts"
import { headLogits, networksOf, scoreHead } from "#protocols/wake-word/Head.ts"
import { openHead, readHeadFacts, writeHead } from "#protocols/wake-word/HeadModel.ts"
import { ownEmbeddingFile } from "#protocols/wake-word/OpenExtractor.ts"
import { ownExtractor } from "#protocols/wake-word/OwnExtractor.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import { loadRuntime, type Runtime } from "#protocols/wake-word/Runtime.ts"
import {
  embeddingSize,
  headInputs,
  melBands,
  sampleRate,
  windowFrames,
  windowValues
} from "#protocols/wake-word/Shape.ts"
import { randomHead } from "./Engine.ts"

const facts = { word: "Kölner Dom", language: "de", extractor: "signalbox-0123456789abcdef", threshold: 0.45 }
const random = makeRandom(7)
const normals = (length: number, deviation = 1) => Float32Array.from({ length }, () => random.normal() * deviation)
const count = 100

it("a head scores by the mean of its networks", () => {
  const weights = randomHead(7, 16, 3)
  const rows = normals(20 * embeddingSize)
  const starts = [0, 2, 4]
  const each = networksOf(weights).map((network) => headLogits(network, rows, starts))
  expect(each.length).toBe(3)
  headLogits(weights, rows, starts).forEach((logit, at) => {
    expect(logit).toBeCloseTo((each[0]![at]! + each[1]![at]! + each[2]![at]!) / 3, 9)
  })
})

describe.each(["onnxruntime-node", "onnxruntime-web"] as const)("%s", (name) => {
  let runtime: Runtime
  const closed: Array<() => Promise<void>> = []
  beforeAll(async () => {
    runtime = await Effect.runPromise(loadRuntime(name))
  })
  afterAll(() => Promise.all(closed.map((close) => close())))

  it("computes a head as TypeScript does, for 100 inputs within 1e-5", async () => {
    const weights = randomHead(3, 32, 3)
    const head = await Effect.runPromise(openHead(runtime, writeHead(weights, facts), facts.extractor))
    closed.push(head.close)
    const inputs = normals(count * headInputs)
    const scores = await head.score(inputs, count)
    const expected = Array.from({ length: count }, (_, at) =>
      scoreHead(weights, inputs.subarray(at * headInputs, (at + 1) * headInputs))
    )
    expect(Math.max(...expected.map((score, at) => Math.abs(score - scores[at]!)))).toBeLessThan(1e-5)
    expect(Math.max(...expected) - Math.min(...expected)).toBeGreaterThan(0.1)
  })

  it("computes an embedding as TypeScript does, for 100 inputs within 1e-5", async () => {
    const weights = normals(embeddingLayout.size, 0.05)
    const session = await Effect.runPromise(runtime.open(writeEmbedding(weights, {})))
    closed.push(session.close)
    const windows = normals(count * windowValues)
    const embeddings = await session.run(windows, [count, windowFrames, melBands, 1])
    let worst = 0
    for (let at = 0; at < count; at++)
      embedWindow(weights, windows, at * windowValues).forEach((value, index) => {
        worst = Math.max(worst, Math.abs(value - embeddings[at * embeddingSize + index]!))
      })
    expect(embeddings.length).toBe(count * embeddingSize)
    expect(worst).toBeLessThan(1e-5)
  })

  it("refuses what is no model, and a head of another extractor", async () => {
    const fails = (model: Uint8Array, extractor = facts.extractor) =>
      Effect.runPromise(Effect.flip(openHead(runtime, model, extractor)))
    const model = writeHead(randomHead(3), facts)
    expect((await fails(model, "openwakeword-0")).reason._tag).toBe("OtherExtractor")
    expect((await fails(model.slice(0, 500))).reason._tag).toBe("BadModel")
    expect((await Effect.runPromise(Effect.flip(runtime.open(Buffer.from("no model"))))).reason._tag).toBe("BadModel")
  })
})

it("our extractor computes digital silence alike with both runtimes", async () => {
  const silence = new Int16Array(2 * sampleRate)
  const file = readFileSync(ownEmbeddingFile)
  const rows = async (name: Runtime["name"]) => {
    const session = await Effect.runPromise(Effect.flatMap(loadRuntime(name), ({ open }) => open(file)))
    const extractor = await ownExtractor(session, "0".repeat(64))
    const found = await clipRows(extractor, silence)
    await extractor.close()
    return found
  }
  const [node, web] = [await rows("onnxruntime-node"), await rows("onnxruntime-web")]
  // The last windows have nothing but silence.
  const last = node.subarray(-4 * embeddingSize)
  const worst = Math.max(...last.map((value, at) => Math.abs(value - web.at(at - last.length)!)))
  expect(worst).toBeLessThan(1e-5)
})

describe("readHeadFacts", () => {
  it("reads what writeHead wrote", () => {
    expect(Result.getOrThrow(readHeadFacts(writeHead(randomHead(3), facts)))).toEqual(facts)
  })

  it("refuses cut files, other files and large files", () => {
    const model = writeHead(randomHead(3), facts)
    const refused = (bytes: Uint8Array) => Result.isFailure(readHeadFacts(bytes))
    for (let length = 0; length < model.length; length += 997) expect(refused(model.subarray(0, length))).toBe(true)
    expect(refused(new Uint8Array(5 * 1024 * 1024))).toBe(true)
    expect(refused(Uint8Array.of(10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1))).toBe(true)
  })
})
