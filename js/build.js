// Builds the bundle that ships in the Python package. Everything is pinned, so the same source gives the same bytes.
// `node build.js DIR` writes elsewhere: the tests compare.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const shared = { bundle: true, minify: true, target: ["es2022"], legalComments: /** @type {const} */ ("none"), absWorkingDir: here, charset: /** @type {const} */ ("utf8") };
const out = process.argv[2] ?? "../ragcite_nb/display/static";

await build({ ...shared, entryPoints: ["src/widget.js"], format: "esm", outfile: `${out}/widget.js` });
// light-dark() and color-mix() stay as they are: lowering them would fix one colour scheme.
await build({ ...shared, entryPoints: ["src/view.css"], target: ["esnext"], outfile: `${out}/widget.css` });
