import { expect } from "vitest";
import type { Asked } from "./client.ts";
import { keyOf, type Said } from "./said.ts";
import type { Asking } from "./steps.ts";

/** A request, and the configs that may answer it: those in force from when it was sent until it was taken in. */
export interface Request {
  readonly id: string;
  readonly asked: Asked;
  readonly what: Asking;
  readonly stream: boolean;
  readonly may: readonly Said[];
  cancelled: boolean;
}

/** The config that answered, which is one of those that may, in all that is to be seen of it. */
export function answeredBy({ asked, what, may, id }: Request): Said {
  const by = may.find(({ name }) => name === asked.answeredBy);
  if (!by) throw new Error(`${id} was answered by ${asked.answeredBy}, and not by ${may.map(({ name }) => name)}`);
  expect(Object.keys(asked.headers).filter((name) => /^x-g\d/.test(name) && !name.startsWith(`x-${by.name}-`))).toEqual(
    [],
  );
  const { said } = asked;
  if (said && what !== "cached") {
    expect(said.as).toBe(`Bearer ${keyOf(by)}`);
    expect(said.path.split("/")[1]).toBe(`${by.base}`);
    if (what !== "sticky" && what !== "breaks")
      expect(said).toMatchObject({ path: `${by.first}/${by.base}`, user: by.name });
  }
  return by;
}

/** It was answered as if there had been no reload. */
export function expectWhole(request: Request): void {
  const { status, whole, text, said } = request.asked;
  expect({ status, whole, done: text.includes("data: [DONE]") }).toEqual({
    status: 200,
    whole: true,
    done: request.stream,
  });
  expect(said).toBeDefined();
  answeredBy(request);
}
