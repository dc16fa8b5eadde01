/**
 * Official cases within our profile that the library answers otherwise, by their paths, with the
 * reason. Most are refused before anything is read; none is about JSON values that come with a
 * call, whose numbers are doubles, and texts, lists and maps of them.
 */
const byReason: Readonly<Record<string, readonly string[]>> = {
  'types that never fit': [
    'comparisons/eq_literal/eq_list_elem_mixed_types',
    'comparisons/eq_literal/not_eq_list_length',
    'logic/AND/short_circuit_type_left',
    'logic/AND/short_circuit_type_right',
    'logic/OR/short_circuit_type_left',
    'logic/OR/short_circuit_type_right',
    'logic/conditional/mixed_type',
  ],
  'a number that is none is not known': [
    'comparisons/eq_literal/not_eq_double_nan',
    'comparisons/eq_literal/not_eq_int_double_nan',
    'comparisons/ne_literal/ne_double_nan',
    'comparisons/ne_literal/not_ne_double_nan',
    'comparisons/ne_literal/not_ne_int_double_nan',
  ],
  'a number that begins with a point': ['comparisons/gt_literal/not_gt_double'],
  'whole numbers beyond 2^53': [
    'comparisons/gt_literal/not_gt_dyn_big_double_int',
    'comparisons/gte_literal/gte_dyn_int_big_lossy_double',
    'comparisons/lt_literal/not_lt_dyn_int_big_lossy_double',
    'comparisons/lte_literal/lte_dyn_big_double_int',
  ],
  'a conversion that is refused': [
    'conversions/identity/duration',
    'conversions/identity/timestamp',
    'conversions/int/timestamp',
    'timestamps/duration_conversions/toString_duration',
    'timestamps/timestamp_conversions/toInt_timestamp',
    'timestamps/timestamp_conversions/toString_timestamp',
    'timestamps/timestamp_conversions/toString_timestamp_nanos',
  ],
  'whole numbers past 64 bits': [
    'conversions/int/double_int_max_range',
    'conversions/int/double_int_min_range',
    'conversions/int/double_range',
    'conversions/uint/double_uint_max_range',
    'integer_math/int64_math/int64_min_negate',
    'integer_math/int64_math/int64_min_negate_div',
  ],
  'has is for paths': ['fields/map_has/has', 'fields/map_has/has_empty', 'fields/map_has/has_not'],
  'keys of a map that is written out': [
    'fields/qualified_identifier_resolution/map_key_float',
    'fields/qualified_identifier_resolution/map_key_null',
    'fields/qualified_identifier_resolution/map_value_repeat_key',
    'macros/exists_one/map_one',
  ],
  'names in back quotes': [
    'fields/quoted_map_fields/field_access_dash',
    'fields/quoted_map_fields/field_access_dot',
    'fields/quoted_map_fields/field_access_slash',
    'fields/quoted_map_fields/has_field_dash',
    'fields/quoted_map_fields/has_field_dot',
    'fields/quoted_map_fields/has_field_slash',
  ],
  'an empty list has no type to choose an operator by': [
    'macros/all/list_empty',
    'macros/exists/list_empty',
    'macros/exists_one/list_empty',
    'macros/map/list_empty',
  ],
  'raw bytes': [
    'parse/bytes_literals/raw_double_quoted_escapes',
    'parse/bytes_literals/raw_single_quoted_escapes',
    'parse/bytes_literals/raw_triple_double_quoted_escapes',
    'parse/bytes_literals/raw_triple_single_quoted_escapes',
    'parse/bytes_literals/upper_raw_double_quoted_escapes',
    'parse/bytes_literals/upper_raw_single_quoted_escapes',
    'parse/bytes_literals/upper_raw_triple_double_quoted_escapes',
    'parse/bytes_literals/upper_raw_triple_single_quoted_escapes',
  ],
  messages: ['parse/comments/new_line_terminated'],
  'which characters are spaces': [
    'string_ext/trim/unicode_no_trim',
    'string_ext/trim/unicode_space_chars_1',
  ],
  'times beyond the years 1 to 9999, or finer than a millisecond': [
    'timestamps/duration_range/add_over',
    'timestamps/duration_range/add_under',
    'timestamps/duration_range/from_string_over',
    'timestamps/duration_range/from_string_under',
    'timestamps/duration_range/sub_over',
    'timestamps/duration_range/sub_under',
    'timestamps/timestamp_arithmetic/add_time_to_duration',
    'timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive',
    'timestamps/timestamp_range/add_duration_nanos_over',
    'timestamps/timestamp_range/add_duration_nanos_under',
    'timestamps/timestamp_range/add_duration_over',
    'timestamps/timestamp_range/add_duration_under',
    'timestamps/timestamp_range/sub_time_duration_over',
    'timestamps/timestamp_range/sub_time_duration_under',
  ],
}

export const deviations: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(byReason).flatMap(([why, paths]) => paths.map((path) => [path, why])),
)
