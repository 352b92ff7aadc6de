/** Hash in the lines that banks print, readable by screen readers byte by byte. */
export const Hash = ({ label, lines }: { readonly label: string; readonly lines: ReadonlyArray<string> }) => (
  <pre class="hash" aria-label={label} tabIndex={0} role="group">
    {lines.join("\n")}
  </pre>
)
