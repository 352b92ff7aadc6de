import { assert, describe, it } from "vitest"
import { commandOf, type Focus, following, moved } from "../../../../console/pages/bank/transactions/Keys.ts"

const pressed = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  ...more
})

describe("Keys", () => {
  it("have a meaning outside of fields only", () => {
    for (const key of ["j", "k", "a", "s", "i", "u", "/", "?", "Enter"]) {
      assert.isDefined(commandOf(pressed(key), "page"), key)
      assert.isUndefined(commandOf(pressed(key), "typing"), key)
      for (const modifier of ["ctrlKey", "altKey", "metaKey"])
        assert.isUndefined(commandOf(pressed(key, { [modifier]: true }), "page"), `${modifier} ${key}`)
    }
    assert.isUndefined(commandOf(pressed("x"), "page"))
  })

  it("leave Enter to buttons and links, except to the row of the selected transaction", () => {
    const enter = (focus: Focus) => commandOf(pressed("Enter"), focus)
    assert.isUndefined(enter("control"))
    assert.strictEqual(enter("row"), "accept")
    assert.strictEqual(commandOf(pressed("a"), "control"), "accept")
  })

  it("repeat moves, but no decisions", () => {
    assert.strictEqual(commandOf(pressed("j", { repeat: true }), "row"), "next")
    for (const key of ["a", "Enter", "u", "i", "s"])
      assert.isUndefined(commandOf(pressed(key, { repeat: true }), "row"), key)
  })

  it("move within the list, and begin at its ends", () => {
    assert.strictEqual(moved(-1, 1, 3), 0)
    assert.strictEqual(moved(-1, -1, 3), 2)
    assert.strictEqual(moved(2, 1, 3), 2)
    assert.strictEqual(moved(0, -1, 3), 0)
    assert.strictEqual(moved(-1, 1, 0), undefined)
  })

  it("go to the next undecided transaction, and around to the first", () => {
    assert.strictEqual(following(0, [true, false, true]), 2)
    assert.strictEqual(following(2, [true, false, true]), 0)
    assert.strictEqual(following(1, [false, true, false]), undefined)
    assert.strictEqual(following(0, [true]), undefined)
    assert.strictEqual(following(-1, [false, true]), 1)
  })
})
