import { expect, it } from "vitest";
import { sampleFiles } from "../../../fixtures/denials-sample/sample-files.js";

it("the sample files are what their source writes", async () => {
  const { claims, remits, acks } = sampleFiles();
  const folder = "../../../fixtures/denials-sample";
  await expect(claims).toMatchFileSnapshot(`${folder}/claims.837`);
  await expect(remits).toMatchFileSnapshot(`${folder}/remits.835`);
  await expect(acks).toMatchFileSnapshot(`${folder}/acks.277`);
});
