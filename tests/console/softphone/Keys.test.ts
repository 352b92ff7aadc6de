import type { Session } from "sip.js"
import { expect, it } from "vitest"
import type { MediaHandler } from "../../../console/softphone/MediaHandler.ts"
import { press } from "../../../console/softphone/Keys.ts"

/** Effect of a key press in browsers with and without DTMF support in the media stream. */
const pressed = async (dtmf: object | null) => {
  const told: Array<unknown> = []
  const sender = {
    dtmf:
      dtmf === null
        ? null
        : { toneBuffer: "12", insertDTMF: (...given: ReadonlyArray<unknown>) => told.push(given), ...dtmf }
  }
  await press(
    { info: (options: unknown) => told.push(options) } as unknown as Session,
    { sender } as unknown as MediaHandler,
    "#"
  )
  return told
}

it("sends keys beside the voice behind those that are not through, and tells the switch of them where that cannot be", async () => {
  expect(await pressed({ canInsertDTMF: true })).toEqual([["12#", 160, 70]])
  const info = [
    {
      requestOptions: {
        body: {
          contentDisposition: "render",
          contentType: "application/dtmf-relay",
          content: "Signal=#\r\nDuration=160\r\n"
        }
      }
    }
  ]
  expect(await pressed({ canInsertDTMF: false })).toEqual(info)
  expect(await pressed(null)).toEqual(info)
})
