/**
 * The view, as Python builds it (`ragcite_nb/display/view.py`). All texts are in the reader's language.
 *
 * @typedef {"good" | "neutral" | "aside" | "doubtful" | "bad"} Tone
 *
 * @typedef {object} Badge
 * @property {number} index
 * @property {string} label the mark as written
 * @property {string} symbol
 * @property {Tone} tone
 * @property {string} name what a screen reader says
 * @property {string} panel_name
 * @property {string} explain why, for a mark that is no citation
 * @property {number[]} citations
 *
 * @typedef {object} Quote
 * @property {string} text
 * @property {string} symbol
 * @property {Tone} tone
 * @property {string} state_text
 * @property {string} explain
 * @property {string} source_says
 * @property {string} elsewhere
 * @property {number | null} excerpt
 *
 * @typedef {object} Citation
 * @property {number} index
 * @property {string} number
 * @property {number | null} badge
 * @property {string} reference
 * @property {string} locator
 * @property {string} symbol
 * @property {Tone} tone
 * @property {string} state_text
 * @property {string} explain
 * @property {number | null} source
 * @property {string} title
 * @property {number | null} excerpt
 * @property {Quote[]} quotes
 * @property {{title: string, excerpt: number | null}[]} others
 * @property {string} others_title
 *
 * @typedef {object} Source
 * @property {number} index
 * @property {string} number
 * @property {string} label
 * @property {string} title
 * @property {string[]} details
 * @property {string | null} url
 * @property {{level: string, text: string} | null} confidence
 * @property {string} times_text
 * @property {number | null} excerpt
 *
 * @typedef {object} View
 * @property {string} locale
 * @property {string} title
 * @property {string} reading
 * @property {string} caveat
 * @property {{label: string, value: string, tone: Tone}[]} kpis
 * @property {{severity: string, severity_text: string, message: string, meaning: string}[]} alerts
 * @property {{html: string, lang: string, empty: boolean}} answer
 * @property {Badge[]} badges
 * @property {Citation[]} citations
 * @property {string} citations_more
 * @property {{segments: [string, "" | "found" | "near" | "gap"][]}[]} excerpts
 * @property {Source[]} sources
 * @property {number} sources_total
 * @property {string} sources_more
 * @property {{label: string, text: string}[]} reference_list
 * @property {string} copy_text
 * @property {Record<string, string> & {verdict: Record<string, string>, verified: Record<string, string>}} labels
 *
 * @typedef {object} Verification
 * @property {number} citation position of the citation in the result
 * @property {string | null} source the source's label
 * @property {string} verdict "confirmed" or "rejected"
 * @property {string} time ISO 8601, UTC
 * @property {number} [row] position of the row, in an explorer
 *
 * @typedef {object} Row
 * @property {number} position
 * @property {string} label the row's index in the frame
 * @property {string} text the beginning of the answer
 * @property {string} group
 * @property {string} traceability
 * @property {string} valid
 * @property {string} invalid
 * @property {string} uncited
 * @property {string} alerts how many
 * @property {string} codes which
 *
 * @typedef {object} Query
 * @property {string} alert
 * @property {string} group
 * @property {string} sort
 * @property {boolean} descending
 * @property {number} page
 *
 * @typedef {object} Table
 * @property {Row[]} rows
 * @property {string} summary
 * @property {string} position
 * @property {number} page
 * @property {number} pages
 *
 * @typedef {object} Columns
 * @property {string} title
 * @property {Record<string, string>} labels
 * @property {{key: string, label: string, sort_label: string}[]} columns
 * @property {{value: string, label: string}[]} alerts
 * @property {{value: string, label: string}[]} groups
 *
 * @typedef {object} Model what anywidget gives: the traits of the Python widget
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 */

export {};
