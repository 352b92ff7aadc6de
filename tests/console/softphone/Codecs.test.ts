import { expect, it } from "vitest"
import { inOrder } from "../../../console/softphone/Codecs.ts"

it("puts the wanted codecs first in their order, with what carries keys, and leaves out all others", () => {
  const able = [
    "audio/red",
    "audio/PCMU",
    "audio/opus",
    "audio/telephone-event",
    "audio/G722",
    "audio/PCMA",
    "audio/CN",
    "audio/telephone-event"
  ].map((mimeType, id) => ({ mimeType, id }))
  expect(inOrder(able, ["opus", "PCMA", "PCMU"]).map(({ id }) => id)).toEqual([2, 5, 1, 3, 7])
  expect(inOrder(able, ["pcma"]).map(({ mimeType }) => mimeType)).toEqual([
    "audio/PCMA",
    "audio/telephone-event",
    "audio/telephone-event"
  ])
})
