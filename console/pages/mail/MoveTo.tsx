import { words } from "../../lib/Language.ts"
import { depthOf, titleOf } from "./FolderNames.ts"
import type { Folder } from "./Shapes.ts"

const t = words({ en: { move: "Move to …" }, de: { move: "Verschieben …" } })

interface Props {
  /** Current folder of the messages. */
  readonly folder: string
  readonly folders: ReadonlyArray<Folder>
  readonly disabled: boolean
  readonly move: (target: string) => void
}

/** Selects the target folder of messages. */
export const MoveTo = ({ disabled, folder, folders, move }: Props) => (
  <select
    class="move"
    aria-label={t().move}
    disabled={disabled}
    value=""
    onChange={(event) => {
      const target = event.currentTarget.value
      event.currentTarget.value = ""
      if (target !== "") move(target)
    }}
  >
    <option value="">{t().move}</option>
    {folders
      .filter(({ name, selectable }) => selectable && name !== folder)
      .map((one) => (
        <option key={one.name} value={one.name}>
          {"\u2003".repeat(depthOf(one))}
          {titleOf(one)}
        </option>
      ))}
  </select>
)
