/** Works a page by keyboard only. Controls are found by role and name in the browser's accessibility tree. */
import type { CDPSession, Page } from "playwright-core"

/** Maximum number of presses of Tab before the wanted control. Reason: no page has more; a wrong name must end. */
const maxTabs = 250

/** A control as screen readers get it. */
export interface Control {
  readonly role: string
  readonly name: string
}

export interface Keyboard {
  /** Control with the focus; undefined when none has it. */
  readonly focused: () => Promise<Control | undefined>
  /** Presses Tab until the control has the focus. Throws when a control on the way has no name. */
  readonly tabTo: (role: string, name: string | RegExp) => Promise<void>
  /** Types into the control with the focus. */
  readonly type: (text: string) => Promise<void>
  readonly press: (key: string) => Promise<void>
}

/** Roles of controls that need a name. */
const named = new Set([
  "button",
  "link",
  "textbox",
  "searchbox",
  "combobox",
  "checkbox",
  "radio",
  "spinbutton",
  "slider",
  "switch",
  "tab",
  "menuitem",
  "option"
])

const controlOf = async (page: Page, devTools: CDPSession): Promise<Control | undefined> => {
  const { result } = await devTools.send("Runtime.evaluate", {
    expression: "document.activeElement === document.body ? null : document.activeElement"
  })
  if (result.objectId === undefined) return undefined
  const { nodes } = await devTools.send("Accessibility.getPartialAXTree", {
    objectId: result.objectId,
    fetchRelatives: false
  })
  const node = nodes[0]
  return { role: String(node?.role?.value ?? ""), name: String(node?.name?.value ?? "").trim() }
}

export const keyboardOf = async (page: Page): Promise<Keyboard> => {
  const devTools = await page.context().newCDPSession(page)
  const focused = () => controlOf(page, devTools)
  return {
    focused,
    tabTo: async (role, name) => {
      const passed: Array<string> = []
      for (let count = 0; count < maxTabs; count++) {
        const control = await focused()
        if (control !== undefined) {
          if (named.has(control.role) && control.name === "") {
            const html = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
            throw new Error(`control without a name: ${control.role} ${html}`)
          }
          const isName = typeof name === "string" ? control.name === name : name.test(control.name)
          if (control.role === role && isName) return
          passed.push(`${control.role} ${control.name}`)
        }
        await page.keyboard.press("Tab")
      }
      throw new Error(`Tab does not reach ${role} ${String(name)}. Passed: ${[...new Set(passed)].join(", ")}`)
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key)
  }
}
