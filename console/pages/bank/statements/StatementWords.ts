import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import type { Statement } from "../Shapes.ts"

const t = words({
  en: {
    end_of_day: "statement",
    intraday: "preliminary",
    current: "valid",
    replaced: "replaced",
    number: (number: number) => `no. ${number}`,
    range: (from: string, to: string) => `${from} to ${to}`,
    undated: "without a date"
  },
  de: {
    end_of_day: "Auszug",
    intraday: "vorläufig",
    current: "gültig",
    replaced: "ersetzt",
    number: (number: number) => `Nr. ${number}`,
    range: (from: string, to: string) => `${from} bis ${to}`,
    undated: "ohne Datum"
  }
})

export const statementKinds = ["end_of_day", "intraday"] as const
export const statementStates = ["current", "replaced"] as const

export const kindTitle = (kind: Statement["kind"]): string => t()[kind]
export const stateTitle = (state: Statement["state"]): string => t()[state]

/** Days of a statement, such as "26 Nov 2026". */
export const daysOf = ({ from_date, to_date }: Pick<Statement, "from_date" | "to_date">): string =>
  to_date === null
    ? from_date === null
      ? t().undated
      : calendarDay(from_date)
    : from_date === null || from_date === to_date
      ? calendarDay(to_date)
      : t().range(calendarDay(from_date), calendarDay(to_date))

export const numberOf = ({ bank_id, number }: Pick<Statement, "bank_id" | "number">): string =>
  number === null ? bank_id : t().number(number)
