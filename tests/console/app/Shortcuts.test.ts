import { expect, it } from "vitest"
import { shortcutOf } from "../../../console/app/Shortcuts.ts"

const press = (key: string, held: Readonly<Record<string, boolean>> = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  defaultPrevented: false,
  ...held
})

it.each([
  ["Ctrl-K", press("k", { ctrlKey: true }), "search", "search"],
  ["Command-K", press("K", { metaKey: true }), "search", "search"],
  ["/", press("/"), "search", undefined],
  ["?", press("?"), "help", undefined],
  // In a field, Ctrl-Z takes back the typing.
  ["Ctrl-Z", press("z", { ctrlKey: true }), "undo", undefined],
  ["Command-Z", press("z", { metaKey: true }), "undo", undefined],
  ["Ctrl-Shift-Z", press("Z", { ctrlKey: true, shiftKey: true }), undefined, undefined],
  ["z", press("z"), undefined, undefined],
  ["Ctrl-Z that the page used", press("z", { ctrlKey: true, defaultPrevented: true }), undefined, undefined]
] as const)("%s", (_, pressed, outside, typing) => {
  expect([shortcutOf(pressed, false), shortcutOf(pressed, true)]).toEqual([outside, typing])
})
