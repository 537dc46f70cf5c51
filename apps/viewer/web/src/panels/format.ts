// Numbers and names as people read them.

// Short and exact enough to type in again: 25000, 0.45, 2.1e+6 → 2.1e6.
export function formatNumber(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return '';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) {
    const [mantissa, exponent] = value.toExponential(Math.max(0, digits - 1)).split('e');
    return `${Number(mantissa)}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(digits)));
}

const prefixes: [number, string][] = [
  [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'],
];
// For reading at a glance: 21.4 kPa, 3.2 µm. Units that do not take a prefix well are left as they are.
export function formatQuantity(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  if (unit === '' || !/^(Pa|J|m|N|s|kg|ms)$/.test(unit) || value === 0)
    return `${trim(value, digits)}${unit && ` ${unit}`}`;
  if (unit === 'kg' || unit === 'ms') return `${trim(value, digits)} ${unit}`;
  const size = Math.abs(value);
  const [factor, prefix] = prefixes.find(([f]) => size >= f * 0.9995) ?? prefixes[prefixes.length - 1];
  return `${trim(value / factor, digits)} ${prefix}${unit}`;
}

function trim(value: number, digits: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return formatNumber(Number(value.toExponential(digits - 1)), digits);
  return value.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-9)));
}

export function formatCount(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value)) : '–';
}

export function formatTime(seconds: number): string {
  return `${seconds.toFixed(2)} s`;
}

export function formatSpeed(factor: number): string {
  return `${formatNumber(factor, 2)}×`;
}

// Names of quantities that scene files keep short.
const known: Record<string, string> = {
  young: 'Young’s modulus', poisson: 'Poisson’s ratio', dt: 'Time step',
  arap: 'ARAP', bdf2: 'BDF2', svd: 'SVD', st_venant_kirchhoff: 'St Venant–Kirchhoff',
  stable_neo_hookean: 'Stable Neo-Hookean', neo_hookean: 'Neo-Hookean',
  mooney_rivlin: 'Mooney–Rivlin', quasi_newton: 'Quasi-Newton',
};

// 'angular_velocity' → 'Angular velocity'
export function readable(name: string): string {
  if (known[name]) return known[name];
  const text = name.replace(/_/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
