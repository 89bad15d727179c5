/** A plan as a model writes it, with what Markdown has. */
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { text } from '../../../src/protocol/text/text.ts';

export const PLAN = `# Round prices in one place

Prices are rounded in \`src/cart.ts\` and again in \`src/tax.ts\`, so totals are **one cent off**.

## Steps

1. Add \`roundPrice\` to \`src/money.ts\`, with its test.
2. Use it in \`src/cart.ts:12\` and \`src/tax.ts\`.
   - leave the export as it is
3. Run the tests.

\`\`\`ts
export const roundPrice = (cents: number) => Math.round(cents);
\`\`\`

| File | Change |
| --- | --- |
| src/money.ts | new |
| src/cart.ts | 2 lines |

> How to check: \`npm test\`
`;

export const proposed: Partial<Approval> = {
	op: 'plan.write',
	act: 'other',
	title: 'Plan: Round prices in one place',
	reason: text('Allowing this approves the plan: the thread changes to the mode Agent, and the agent begins.'),
	detail: { kind: 'plan', text: PLAN },
	pattern: null,
	threadScope: null,
	isPartOfAll: false,
};
