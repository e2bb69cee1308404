import { expect, it } from "vitest";
import { problemFromAnswer, problemOf, sentence } from "./problem";

it("makes sentences", () => {
  expect(sentence("must have at least 8 characters")).toBe("Must have at least 8 characters.");
  expect(sentence(" Really? ")).toBe("Really?");
  expect(sentence("")).toBe("");
});

it("finds the errors of fields", () => {
  const body = JSON.stringify({ code: "invalid", title: "t", errors: [{ field: "email", message: "is none" }, { field: 3 }] });
  const problem = problemFromAnswer(422, body, null);
  expect(problem.field("email")).toBe("Is none.");
  expect(problem.field("password")).toBeUndefined();
  expect(problem.errors).toHaveLength(1);
});

it("makes sense of answers that are none of ours", () => {
  const problem = problemFromAnswer(502, "<html>Bad gateway</html>", "2");
  expect(problem).toMatchObject({ code: "unavailable", passing: true, retryAfterSeconds: 2 });
  expect(problem.message).toMatch(/busy/);
  expect(problemFromAnswer(418, "[1]", "soon")).toMatchObject({ code: "internal", retryAfterSeconds: undefined });
  expect(problemOf(new RangeError("ours")).code).toBe("internal");
});
