import { encode } from "uqr"

/** White margin around the code. Unit: modules. Source: ISO/IEC 18004 §5.3.8. */
const quietZone = 4

/** The dark runs of one row, each a rectangle. */
const rowPath = (row: ReadonlyArray<boolean>, y: number): string =>
  Array.from(
    row
      .map((dark) => (dark ? "1" : "0"))
      .join("")
      .matchAll(/1+/g),
    ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`
  ).join("")

/** QR code of `content`, black on white in every theme, because cameras expect that. `label`: for screen readers. */
export const QrCode = ({ content, label }: { readonly content: string; readonly label: string }) => {
  const { data, size } = encode(content, { ecc: "M", border: quietZone })
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={data.map(rowPath).join("")} />
    </svg>
  )
}
