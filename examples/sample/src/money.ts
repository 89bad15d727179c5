/** An amount of money in cents. Whole numbers only, so that sums are exact. */
export type Cents = number;

/** A share of an amount, rounded to whole cents: half a cent goes up. */
export function percentOf(amount: Cents, percent: number): Cents {
	return Math.round((amount * percent) / 100);
}

/** `1234` as `12.34 €`. */
export function format(amount: Cents): string {
	const sign = amount < 0 ? '-' : '';
	const whole = Math.floor(Math.abs(amount) / 100);
	const rest = String(Math.abs(amount) % 100).padStart(2, '0');
	return `${sign}${whole}.${rest} €`;
}
