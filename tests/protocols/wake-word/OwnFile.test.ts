import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { openOpenWakeWord, ownEmbeddingFile, sha256 } from "#protocols/wake-word/OpenExtractor.ts"
import { ownId } from "#protocols/wake-word/OwnExtractor.ts"
import { writeOnnx } from "#protocols/wake-word/OnnxWriter.ts"
import { embeddingSize, melBands, stepFrames, windowFrames } from "#protocols/wake-word/Shape.ts"
import { openEngine } from "./Engine.ts"

describe("our extractor", () => {
  it("is the file of its checksum, small, and gives an embedding of mean 0 and deviation 1", async () => {
    const file = readFileSync(ownEmbeddingFile)
    expect(file.length).toBeLessThan(3_000_000)
    const { extractor } = await openEngine()
    expect(extractor.id).toBe(ownId(sha256(file)))
    expect(extractor.idle.length).toBe(embeddingSize)
    const mean = extractor.idle.reduce((sum, value) => sum + value, 0) / embeddingSize
    expect(mean).toBeCloseTo(0, 4)
    await extractor.close()
  })
})

describe("the extractor of openWakeWord", () => {
  /** Takes the first values of its input; has the shapes of the real files. */
  const cut = (input: ReadonlyArray<number | string>, values: number, output: ReadonlyArray<number | string>) =>
    writeOnnx({
      name: "cut",
      nodes: [
        { operator: "Flatten", inputs: ["x"], output: "flat", integers: { axis: 1 } },
        { operator: "Slice", inputs: ["flat", "from", "to", "axis"], output: "part" },
        { operator: "Reshape", inputs: ["part", "shape"], output: "y" }
      ],
      tensors: [
        { name: "from", shape: [1], data: BigInt64Array.of(0n) },
        { name: "to", shape: [1], data: BigInt64Array.of(BigInt(values)) },
        { name: "axis", shape: [1], data: BigInt64Array.of(1n) },
        { name: "shape", shape: [4], data: BigInt64Array.from(output.map((size) => BigInt(size))) }
      ],
      input: { name: "x", shape: input },
      output: { name: "y", shape: ["a", "b", "c", "d"] },
      metadata: {}
    })
  const mel = cut([1, "samples"], stepFrames * melBands, [1, 1, stepFrames, melBands])
  const embedding = cut(["batch", windowFrames, melBands, 1], embeddingSize, [0, 1, 1, embeddingSize])

  const open = async (files: Parameters<typeof openOpenWakeWord>[1]) => {
    const { runtime } = await openEngine()
    return Effect.runPromise(Effect.result(openOpenWakeWord(runtime, files)))
  }
  const reason = async (files: Parameters<typeof openOpenWakeWord>[1]) => {
    const result = await open(files)
    return result._tag === "Failure" ? result.failure.reason._tag : "opened"
  }

  it("feeds Int16 values and scales the frames", async () => {
    const result = await open({
      mel,
      embedding,
      melSha256: sha256(mel).toUpperCase(),
      embeddingSha256: sha256(embedding)
    })
    if (result._tag === "Failure") throw result.failure
    const samples = Int16Array.from({ length: 2 * 1_760 }, (_, at) => at)
    const frames = await result.success.mel(samples, 2)
    expect([frames[0], frames[10], frames[256]]).toEqual([2, 3, 178])
    const windows = Float32Array.from({ length: 2 * 2_432 }, (_, at) => at)
    const embeddings = await result.success.embed(windows, 2)
    expect([embeddings[0], embeddings[95], embeddings[96]]).toEqual([0, 95, 2_432])
    await result.success.close()
  })

  it("refuses files of another checksum or shape", async () => {
    expect(await reason({ mel, embedding, melSha256: "0".repeat(64) })).toBe("BadChecksum")
    expect(await reason({ mel: embedding, embedding })).toBe("BadModel")
    expect(await reason({ mel, embedding: cut(["batch", windowFrames, melBands, 1], 95, [0, 1, 1, 95]) })).toBe(
      "BadModel"
    )
    expect(await reason({ mel: Buffer.from("no model"), embedding })).toBe("BadModel")
  })
})
