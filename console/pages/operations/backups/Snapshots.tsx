import type { ComponentChildren } from "preact"
import { bytes, number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { type Backup, backupWord } from "./Words.ts"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    backup: "Backup",
    contents: "Contents",
    size: "Size",
    added: "New",
    files: "Files",
    foreign: "by another program"
  },
  de: {
    backup: "Backup",
    contents: "Inhalt",
    size: "Größe",
    added: "Neu",
    files: "Dateien",
    foreign: "von einem anderen Programm"
  }
})

/** Table of backups. `more`: a further column, such as why retention keeps a backup. */
export const Snapshots = <A extends Backup>({
  label,
  more,
  of
}: {
  readonly label: string
  readonly of: ReadonlyArray<A>
  readonly more?: { readonly title: string; readonly show: (backup: A) => ComponentChildren }
}) => (
  <div class="scroll" role="region" aria-label={label} tabIndex={0}>
    <table class="ops-table">
      <caption class="sr">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t().backup}</th>
          <th scope="col">{t().contents}</th>
          <th scope="col" class="number">
            {t().size}
          </th>
          <th scope="col" class="number">
            {t().added}
          </th>
          <th scope="col" class="number">
            {t().files}
          </th>
          {more === undefined ? null : <th scope="col">{more.title}</th>}
        </tr>
      </thead>
      <tbody>
        {of.map((backup) => (
          <tr key={backup.id}>
            <th scope="row">
              <At at={backup.time} />
              <small>
                <code>{backup.short_id}</code> {backup.host}
              </small>
            </th>
            <td>
              {backup.type === null ? t().foreign : backupWord(backup.type)}
              {backup.schedule === null ? null : <small>{backup.schedule}</small>}
              {backup.left_out.map(({ reason, what }) => (
                <small key={what} class="field-error">
                  − {what}: {reason}
                </small>
              ))}
            </td>
            <td class="number">{backup.size === null ? "" : bytes(backup.size)}</td>
            <td class="number">{backup.added === null ? "" : bytes(backup.added)}</td>
            <td class="number">{backup.files === null ? "" : number(backup.files)}</td>
            {more === undefined ? null : <td>{more.show(backup)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
