/** SVG shapes in a box of 100 by 100, by the names in attractions-ke.json. Their fill colour is inherited. */
export const icons: Record<string, string> = {
  beach:
    '<path d="M14 48a36 34 0 0 1 72 0q-12-8-24 0q-12-8-24 0q-12-8-24 0z"/><path d="M48 44h5v40h-5z"/>' +
    '<path d="M8 88q11-9 21 0t21 0 21 0 21 0v7H8z"/>',
  bird: '<path d="M8 42q26-26 46-4q8-16 24-16l14 8-13 4q0 30-33 35l-9 18h-5l5-17q-22-4-29-28z"/>',
  boat: '<path d="M8 66h84L80 88H22z"/><path d="M48 10v50H16z"/><path d="M54 20v40h30z"/>',
  drum: '<ellipse cx="50" cy="22" rx="31" ry="11"/><path fill-rule="evenodd" d="M19 30q31 20 62 0l-9 56q-22 12-44 0zM28 44l6 34 7-30zM50 50l-7 34h14zM72 44l-13 4 7 30z"/>',
  elephant:
    '<path d="M94 54q-2-30-34-30H40Q20 22 12 40Q6 54 8 74q1 10 9 9l-1-6q-4 0-3-8q1-12 7-14q4 6 10 6v26h13V70h26v17h13V62q6 14 4 22l6-2q3-14 1-28z"/>',
  fish: '<path d="M8 50q26-32 56-7l26-19-7 26 7 26-26-19q-30 25-56-7z"/>',
  fort: '<path d="M10 88V28h12v12h12V28h12v12h8V28h12v12h12V28h12v60H62V68a12 12 0 0 0-24 0v20z"/>',
  giraffe: '<path d="M30 94V58q0-8 8-10L56 12l1-8 5 6 16 6-3 9-11-1-6 34 14 5v31h-7V72H38v22z"/>',
  hippo: '<path d="M6 60q-2-20 20-22q4-9 11-4q42-8 54 22q4 10-2 16v16H76V74H46v14H33V74q-26 4-27-14z"/>',
  house: '<path d="M50 12 92 48H81v40H59V62H41v26H19V48H8z"/>',
  lake:
    '<circle cx="50" cy="26" r="15"/><path d="M6 54q11-10 22 0t22 0 22 0 22 0v8q-11 10-22 0t-22 0-22 0-22 0z"/>' +
    '<path d="M6 76q11-10 22 0t22 0 22 0 22 0v8q-11 10-22 0t-22 0-22 0-22 0z"/>',
  lion:
    '<path fill-rule="evenodd" d="M50 8l12 6 13-1 6 12 11 7-1 13 6 11-8 10-2 13-13 4-9 10-13-3-13 3-9-10-13-4-2-13-8-10 6-11-1-13 11-7 6-12 13 1zM50 30q-22 0-22 24 0 20 22 26 22-6 22-26 0-24-22-24z"/>' +
    '<circle cx="41" cy="52" r="4"/><circle cx="59" cy="52" r="4"/><path d="M43 62h14l-7 9z"/>',
  monument: '<path d="M43 16l7-10 7 10 4 58H39z"/><path d="M28 77h44v8H28zM18 87h64v7H18z"/>',
  mountain: '<path d="M4 88 38 20l16 28 10-14 32 54z"/>',
  museum:
    '<path d="M50 10 92 34v8H8v-8zM16 48h11v30H16zM36 48h9v30h-9zM55 48h9v30h-9zM73 48h11v30H73zM8 82h84v9H8z"/>',
  rhino: '<path d="M4 48l4-24 9 17 7-10 5 12q36-14 58 6q9 10 6 24v15H80V72H48v16H35V70Q8 72 4 48z"/>',
  ruins: '<path d="M14 86V38l9-7 7 9v46zM40 86V56l12-5v35zM62 86V22l10 7 5-8 9 9v56zM8 88h84v6H8z"/>',
  stone: '<path d="M10 78l10-32 24-20 32 12 16 34-12 16H22z"/>',
  tower: '<path d="M48 2h4v10h-4zM36 14h28v8H36zM32 24h36v7H32zM41 33h18l5 59H36z"/>',
  train:
    '<path fill-rule="evenodd" d="M22 18q28-14 56 0v46q0 11-11 11H33q-11 0-11-11zM31 28v18h38V28zM33 55v9h9v-9zM58 55v9h9v-9z"/>' +
    '<path d="M31 79h9l-8 15h-9zM60 79h9l8 15h-9z"/>',
  tree: '<path d="M4 40q8-18 28-15q18-17 38-3q22-1 26 18z"/><path d="M46 92l1-32-19-20h7l15 14 15-14h7L53 60l1 32z"/>',
  turtle:
    '<ellipse cx="50" cy="54" rx="26" ry="30"/><circle cx="50" cy="16" r="9"/><path d="M28 36 8 22q-4 22 16 26zM72 36l20-14q4 22-16 26zM30 76 16 92q14 2 22-8zM70 76l14 16q-14 2-22-8z"/>',
  volcano: '<path d="M6 90 36 36q14 9 28 0l30 54z"/><path d="M40 28q10-10 4-24q22 8 16 24q-10 7-20 0z"/>',
  waterfall:
    '<path d="M8 14h24v76H8zM68 14h24v76H68z" fill-opacity=".55"/><path d="M36 14h7v62h-7zM47 14h7v66h-7zM58 14h6v62h-6z"/><path d="M34 84q8-8 16 0t16 0v8H34z"/>',
}
