import { number } from "../lib/Format.ts"
import { words } from "../lib/Language.ts"
import type { ChartProps } from "./ChartProps.ts"
import { At } from "./When.tsx"

const t = words({
  en: { asTable: "As a table", from: "From", total: "Total" },
  de: { asTable: "Als Tabelle", from: "Ab", total: "Summe" }
})

/** Counts of a chart as a table, newest first; buckets without counts are left out. */
export const ChartTable = ({ at, label, series }: Omit<ChartProps, "until">) => {
  const rows = at
    .map((begin, index) => ({ begin, counts: series.map(({ values }) => values[index] ?? 0) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
    .reverse()
  return (
    <details>
      <summary>{t().asTable}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table>
          <caption class="sr">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t().from}</th>
              {series.map(({ label, name }) => (
                <th key={name} scope="col" class="number">
                  {label}
                </th>
              ))}
              <th scope="col" class="number">
                {t().total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ begin, counts }) => (
              <tr key={begin}>
                <th scope="row">
                  <At at={begin} />
                </th>
                {counts.map((count, index) => (
                  <td key={index} class="number">
                    {number(count)}
                  </td>
                ))}
                <td class="number">{number(counts.reduce((all, one) => all + one, 0))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
