import fc from "fast-check";
import { expect, it } from "vitest";
import { Measured } from "./measured.ts";

/** Texts longer than what is gone through at once, of characters of one to four bytes and halves of pairs. */
const texts = fc
  .array(fc.oneof(fc.constantFrom("a", "é", "語", "😀", "\ud83d", "\ude00"), fc.string({ unit: "binary" })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join("").repeat(300));

it("counts units and bytes as going through the whole text does", () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 20 }), (text, places) => {
      const bytes = Buffer.from(text);
      const measured = new Measured(text);
      for (const place of places) {
        const units = place % (text.length + 1);
        const at = place % (bytes.length + 1);
        expect(measured.unitsAt(at)).toBe(bytes.toString("utf8", 0, at).length);
        const isInsidePair = text.codePointAt(units - 1) !== text.charCodeAt(units - 1) && units > 0;
        if (!isInsidePair) expect(measured.bytesAt(units)).toBe(Buffer.byteLength(text.slice(0, units)));
      }
    }),
  );
});
