/** The place behind the quote that ends a text of JSON, which begins at `from`; that behind everything where none does. */
export function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let back = at;
    while (json[back - 1] === "\\") back--;
    if ((at - back) % 2 === 0) return at + 1;
  }
  return json.length;
}
