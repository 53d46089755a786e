import { describe, expect, it } from "vitest";
import { readFormBody, withModelIn } from "../../pipeline/request/form-body.ts";
import { fieldsOf, readForm, writeForm } from "./form.ts";

const type = "multipart/form-data; boundary=b";
const form = (...parts: string[]) => Buffer.from(`${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`);
const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

describe("a multipart form", () => {
  it("is read field by field, with lists, files and empty values", () => {
    const file =
      'content-disposition: form-data; name="file"; filename="a %22b%22.mp3"\r\ncontent-type: audio/mpeg\r\n\r\n\r\n--c\r\n';
    const bytes = form(field("model", "m"), field("list", "a"), field("list", "b"), field("none", ""), file);
    expect({ ...fieldsOf(readForm(bytes, type)) }).toEqual({
      model: "m",
      list: ["a", "b"],
      none: "",
      file: { filename: 'a "b".mp3', contentType: "audio/mpeg", bytes: Buffer.from("\r\n--c\r\n") },
    });
  });

  it("is read with a boundary in quotes, behind a preamble, before an epilogue", () => {
    const bytes = Buffer.from(`hello\r\n${form(field("a", "1"))}bye`);
    expect({ ...fieldsOf(readForm(bytes, 'Multipart/Form-Data; charset=utf-8; boundary="b"')) }).toEqual({ a: "1" });
  });

  it("knows no field by a name that every object has", () => {
    expect(fieldsOf([]).constructor).toBeUndefined();
  });

  it.each([
    ["multipart/form-data", form(field("a", "1")), "no boundary"],
    [type, Buffer.from("x"), "not in it"],
    [type, Buffer.from(`--b\r\n${field("a", "1")}`), "no end"],
    [type, Buffer.from(`--bx\r\n${field("a", "1")}\r\n--b--`), "middle of a line"],
    [type, form("Content-Type: text/plain\r\n\r\n1"), "no name"],
  ])("is refused: %s, %s", (contentType, bytes, reason) => {
    expect(() => readForm(bytes, contentType)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringContaining(reason) }),
    );
  });

  it("is written so that it reads the same", () => {
    const file = { filename: "x.bin", contentType: "audio/wav", bytes: Buffer.from([0, 13, 10, 45, 45, 255]) };
    const { bytes, contentType } = writeForm({
      a: "1",
      n: 2,
      f: true,
      list: ["x", "y"],
      file,
      no: null,
      nor: undefined,
    });
    expect({ ...fieldsOf(readForm(bytes, contentType)) }).toEqual({
      a: "1",
      n: "2",
      f: "true",
      list: ["x", "y"],
      file,
    });
  });

  it("cannot be left by a name or a type in it", () => {
    const name = 'a"\r\nX-Evil: 1';
    const { bytes, contentType } = writeForm({ [name]: "1" });
    expect(Object.keys(fieldsOf(readForm(bytes, contentType)))).toEqual([name]);
  });

  it.each([
    [form(field("model", "old"), field("a", "1")), form(field("model", "new"), field("a", "1"))],
    [form(field("a", "1")), form(field("model", "new"), field("a", "1"))],
  ])("is given another model, and stays as it is otherwise", (bytes, expected) => {
    expect(`${withModelIn(readFormBody(bytes, type), bytes, "new")}`).toBe(`${expected}`);
  });

  it("is refused where the content type says something else", () => {
    expect(() => readFormBody(form(), "application/json")).toThrow("multipart/form-data, not application/json");
    expect(() => readFormBody(form(), undefined)).toThrow("not none");
  });
});
