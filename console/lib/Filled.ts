/**
 * Fills values into the placeholders of a text. Pure. Supports only `{name}` and quoted braces. Texts with plurals or
 * other functions stay in the code. Source: ICU MessageFormat, apostrophes.
 */
export const filled = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.includes("{")
    ? text.replace(/''|'([{}][^']*)'|\{\s*(\w+)\s*\}/g, (whole, quoted?: string, name?: string) =>
        whole === "''"
          ? "'"
          : (quoted ?? (name !== undefined && Object.hasOwn(values, name) ? String(values[name]) : whole))
      )
    : text
