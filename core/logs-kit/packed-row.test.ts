import { expect, it } from "vitest";
import { logRow } from "../../test/support/log-entries.ts";
import { packedRow, unpackedRow } from "./packed-row.ts";

const row = logRow({
  id: "r1",
  "metadata.key": ["team"],
  "metadata.value": ["search"],
  cost: 0.5,
  cost_source: "catalogue",
});

it("gives rows back as they were, and keeps no names of fields", () => {
  const text = packedRow(row);
  expect(unpackedRow(text)).toEqual(row);
  expect(text).not.toContain("organisation_id");
});

it("reads rows that were kept with the names of their fields", () =>
  expect(unpackedRow(JSON.stringify(row))).toEqual(row));

it("does not know the fields that came after a row was kept", () => {
  const kept: unknown[] = JSON.parse(packedRow(row));
  expect(unpackedRow(JSON.stringify(kept.slice(0, -1)))).toEqual({ ...row, cost_source: null });
});

it("has every value at the place where it always was", () =>
  expect(packedRow(row)).toBe(
    '["r1","o",null,"ws-one",null,null,"team","1970-01-01T00:00:01.000Z",true,"openai",null,"gpt-4o",10,5,15,0.5,"USD",' +
      '"https://api.openai.com/v1/chat/completions","POST",200,120,false,null,null,0,0,0,"single",0,"openai","openai",' +
      'null,null,null,null,null,null,"trace","0011223344556677",null,null,"r1","gateway",null,null,null,null,null,null,' +
      'null,["team"],["search"],"0.1.0","v1","chatComplete",null,1,null,100,119,null,null,2,"provider","catalogue"]',
  ));
