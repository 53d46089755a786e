/** Bytes in letters of some name (`utf-8`, `shift_jis`); undefined where they are not, or where it is called something unknown. */
export function decodedText(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
