/**
 * Draws letters as a PDF of A4 pages with the standard fonts of PDF readers; nothing is read from disk or network.
 *
 * The library @cantoo/pdf-lib is the maintained continuation of pdf-lib (MIT). The library pdfkit 0.20.2 loads the
 * measures of its fonts from files beside it, so it does not run inside our bundle.
 */
import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib"
import type { LetterPage } from "./LetterContent.ts"

/** What a thread draws. */
export interface LetterTask {
  readonly title: string
  readonly language: string
  readonly pages: ReadonlyArray<LetterPage>
}

/** A4. Unit of all lengths: points. Source: ISO 216. */
const [width, height] = [595.28, 841.89]
const margin = 57
/** Column of the values. */
const valueAt = margin + 160
const [titleSize, textSize, fixedSize] = [15, 10, 8.5]
const [rowHeight, fixedHeight, gap] = [15, 10.5, 9]

export const draw = async ({ language, pages, title }: LetterTask): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  document.setTitle(title)
  document.setLanguage(language)
  document.setProducer("Signalbox")
  document.setCreator("Signalbox")
  const fonts = {
    text: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    fixed: await document.embedFont(StandardFonts.Courier)
  }
  for (const page of pages) drawPage(document.addPage([width, height]), page, fonts)
  return document.save()
}

interface Fonts {
  readonly text: PDFFont
  readonly bold: PDFFont
  readonly fixed: PDFFont
}

const drawPage = (page: PDFPage, content: LetterPage, { bold, fixed, text }: Fonts): void => {
  let y = height - margin - titleSize
  const write = (line: string, x: number, font: PDFFont, size: number) =>
    page.drawText(drawable(line, font), { x, y, font, size })
  write(content.title, margin, bold, titleSize)
  y -= 28
  for (const [label, value] of content.rows) {
    write(label, margin, text, textSize)
    write(value, valueAt, text, textSize)
    y -= rowHeight
  }
  for (const { heading, lines } of content.blocks) {
    y -= gap
    write(heading, margin, bold, textSize)
    y -= rowHeight
    for (const line of lines) {
      write(line, margin, fixed, fixedSize)
      y -= fixedHeight
    }
  }
  y -= gap * 2
  write(content.confirmation, margin, text, textSize)
  // The lines to sign on are at the end of the page.
  y = margin + 34
  const column = (width - 2 * margin) / content.signature.length
  content.signature.forEach((label, index) => {
    const x = margin + column * index
    page.drawLine({ start: { x, y: y + 12 }, end: { x: x + column - 14, y: y + 12 }, thickness: 0.6 })
    write(label, x, text, 8)
  })
  y = margin - 20
  write(content.footer, margin, text, 8)
}

/** The text in characters that the standard fonts have; others without their accents, or as a question mark. */
const drawable = (line: string, font: PDFFont): string => {
  const known = new Set(font.getCharacterSet())
  const has = (character: string) => known.has(character.codePointAt(0) ?? 0)
  return Array.from(line.normalize("NFC"), (character) =>
    has(character) ? character : (Array.from(character.normalize("NFKD")).find(has) ?? "?")
  ).join("")
}
