import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "prefer-const": "error",
      "no-var": "error",
      // Views must not look outside of themselves: several stand on one page, some of them in a shadow root.
      "no-restricted-properties": [
        "error",
        { object: "document", property: "querySelector" },
        { object: "document", property: "getElementById" },
        { object: "window", property: "fetch" },
      ],
      "no-restricted-globals": ["error", "document", "window", "fetch", "localStorage"],
    },
  },
  { files: ["test/**"], rules: { "no-restricted-properties": "off", "no-restricted-globals": "off" } },
];
