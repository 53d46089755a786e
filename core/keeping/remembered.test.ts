import { describe, expect, it } from "vitest";
import { remembered } from "./remembered.ts";

function asked(most: number, longest = 10) {
  const questions: string[] = [];
  const answer = remembered({ most, longest }, (question) => {
    questions.push(question);
    return question === "nothing" ? undefined : question.length;
  });
  return { questions, answer };
}

describe("what is remembered", () => {
  it("is asked for once, an answer of nothing too", () => {
    const { questions, answer } = asked(10);
    expect([answer("a"), answer("nothing"), answer("a"), answer("nothing")]).toEqual([1, undefined, 1, undefined]);
    expect(questions).toEqual(["a", "nothing"]);
  });

  it("is no more than what may be: then it begins anew", () => {
    const { questions, answer } = asked(2);
    for (const question of ["a", "b", "c", "c", "a"]) answer(question);
    expect(questions).toEqual(["a", "b", "c", "a"]);
  });

  it("is no question of any length", () => {
    const { questions, answer } = asked(10, 3);
    expect([answer("long"), answer("long")]).toEqual([4, 4]);
    expect(questions).toEqual(["long", "long"]);
  });
});
