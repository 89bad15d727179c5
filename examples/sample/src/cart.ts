import { type Cents, percentOf } from './money.ts';

export interface Line {
	readonly product: string;
	readonly unitPrice: Cents;
	readonly quantity: number;
}

const taxPercent = 20;
const quantityDiscount = { from: 10, percent: 10 };

/** The price of one line, after its quantity discount. */
export function linePrice({ unitPrice, quantity }: Line): Cents {
	const full = unitPrice * quantity;
	const isDiscounted = quantity > quantityDiscount.from;
	return isDiscounted ? full - percentOf(full, quantityDiscount.percent) : full;
}

/** What the customer pays: all lines with their discounts, and the tax on that. */
export function total(lines: readonly Line[]): Cents {
	const net = lines.reduce((sum, line) => sum + linePrice(line), 0);
	return net + percentOf(net, taxPercent);
}

/** The cart with more of a product: one line per product. */
// TODO: refuse a quantity that is not a whole number above zero.
export function add(lines: readonly Line[], added: Line): Line[] {
	const known = lines.find(({ product }) => product === added.product);
	if (known === undefined) return [...lines, added];
	return lines.map((line) => (line === known ? { ...line, quantity: line.quantity + added.quantity } : line));
}
