//! One test for every rule, house rule and effect. Each plays the scenario file of that name.

use std::collections::BTreeSet;

use crate::scenarios;
use unum_rules::rulebook;

/// Declares the tests, and the list of the files they play.
macro_rules! tests_by_rule {
    ($($rule:literal $test:ident)*) => {
        $(
            #[test]
            fn $test() {
                scenarios::run($rule);
            }
        )*

        const PLAYED: &[(&str, &str)] = &[$(($rule, stringify!($test))),*];
    };
}

tests_by_rule! {
    "D1" d1_the_highest_card_deals_and_in_modern_a_seat_at_random
    "D2" d2_seven_cards_each_one_at_a_time_from_the_left_of_the_dealer
    "D3" d3_the_deal_passes_to_the_left

    "S1" s1_after_a_number_the_left_of_the_dealer_starts
    "S2" s2_a_draw_two_turned_up_costs_the_left_of_the_dealer_two_cards_and_the_turn
    "S3" s3_a_reverse_turned_up_lets_the_dealer_play_first_to_the_right
    "S4" s4_a_skip_turned_up_skips_the_left_of_the_dealer
    "S5" s5_after_a_wild_turned_up_the_left_of_the_dealer_calls_the_color
    "S6" s6_a_wild_draw_four_turned_up_goes_back_into_the_pile
    "S7" s7_a_draw_two_turned_up_can_be_neither_blocked_nor_stacked_on
    "S8" s8_without_a_start_card_the_deal_is_made_again

    "T1" t1_a_card_matches_by_color_number_or_symbol_and_a_wild_always
    "T2" t2_a_player_may_draw_instead_and_play_that_card_or_keep_it
    "T3" t3_action_cards_match_by_color_or_symbol
    "T4" t4_an_empty_draw_pile_is_made_anew_from_the_discards
    "T5" t5_a_full_circle_of_draws_that_find_nothing_blocks_the_round

    "A1" a1_a_draw_two_costs_the_next_player_two_cards_and_the_turn
    "A2" a2_a_reverse_changes_the_direction
    "A3" a3_a_skip_costs_the_next_player_the_turn
    "A4" a4_a_wild_calls_any_color

    "W1" w1_a_wild_draw_four_calls_a_color_and_costs_the_next_player_four_cards_and_the_turn
    "W2" w2_it_is_rightly_played_only_without_a_card_of_the_color_in_force
    "W3" w3_a_bluff_can_be_played
    "W4" w4_only_the_victim_challenges_and_alone_sees_the_hand
    "W5" w5_a_guilty_bluffer_draws_the_four_and_the_challenger_plays_on
    "W6" w6_a_challenger_of_an_innocent_player_draws_six_and_loses_the_turn
    "W7" w7_the_called_color_stands_whatever_the_outcome
    "W8" w8_as_a_last_card_it_cannot_be_challenged
    "W9" w9_a_drawn_one_may_be_played_at_once_and_is_judged_by_the_rest_of_the_hand

    "F1" f1_flitterific_blocks_an_attack
    "F2" f2_on_ones_own_turn_flitterific_is_a_plain_wild
    "F3" f3_an_attack_has_one_answer_and_a_block_with_the_last_card_goes_out
    "F4" f4_an_attack_that_ended_the_round_can_still_be_blocked

    "O1" o1_olaf_takes_up_to_three_pink_or_three_yellow_cards_along
    "O2" o2_cards_that_leave_with_olaf_have_no_effect_and_lie_under_it
    "O3" o3_olaf_may_empty_the_hand_or_leave_one_card_to_call

    "H1" h1_all_hands_are_shuffled_and_dealt_out_from_the_left_of_the_player
    "H2" h2_the_color_is_called_after_the_new_hands_are_dealt
    "H3" h3_as_a_last_card_it_just_goes_out_and_nobody_owes_a_call_for_it

    "C1" c1_each_customizable_card_carries_its_own_rule_or_none
    "C2" c2_a_rule_is_a_title_a_text_and_a_list_of_effects
    "C3" c3_the_color_is_called_first_then_the_effects_happen_in_order
    "C4" c4_affected_players_act_in_order_of_play
    "C5" c5_the_first_whose_hand_an_effect_empties_wins

    "U1" u1_a_player_left_with_one_card_must_call
    "U2" u2_a_player_who_forgot_may_be_caught_until_the_next_turn_begins
    "U3" u3_drawing_or_playing_in_ones_turn_begins_it_and_closes_every_liability
    "U4" u4_a_call_a_catch_or_another_number_of_cards_ends_the_liability
    "U5" u5_a_wrong_catch_or_call_is_refused_and_costs_nothing

    "G1" g1_an_empty_hand_ends_the_round
    "G2" g2_the_next_player_still_draws_for_an_attack_as_last_card

    "P1" p1_what_the_cards_count
    "P2" p2_the_winner_scores_what_the_others_hold_and_the_first_to_the_target_wins
    "P3" p3_everyone_adds_the_own_hand_and_the_lowest_total_wins
    "P4" p4_in_a_single_round_who_goes_out_wins_and_nothing_is_counted
    "P5" p5_a_blocked_round_scores_as_its_way_of_scoring_says

    "X1" x1_a_player_who_suggests_a_play_draws_the_penalty

    "reverse_skips_with_two" house_reverse_skips_with_two
    "stacking" house_stacking
    "seven_zero" house_seven_zero
    "jump_in" house_jump_in
    "draw_to_match" house_draw_to_match
    "force_play" house_force_play
    "no_bluffing" house_no_bluffing
    "no_challenges" house_no_challenges
    "hand_size" house_hand_size
    "uno_penalty" house_uno_penalty
    "suggestion_penalty" house_suggestion_penalty

    "effect-draw" effect_draw
    "effect-draw_until_color" effect_draw_until_color
    "effect-discard_all" effect_discard_all
    "effect-level" effect_level
    "effect-discard_down" effect_discard_down
    "effect-draw_more" effect_draw_more
    "effect-extra_turn" effect_extra_turn
    "effect-skip" effect_skip
    "effect-reverse" effect_reverse
    "effect-reveal" effect_reveal
    "effect-perform" effect_perform
    "effect-dare" effect_dare
    "effect-banner" effect_banner
    "starters" effect_starters
}

#[test]
fn every_scenario_file_is_played_by_exactly_one_test() {
    let played: BTreeSet<String> = PLAYED.iter().map(|(rule, _)| rule.to_string()).collect();
    assert_eq!(played.len(), PLAYED.len(), "a file is played twice");
    assert_eq!(played, scenarios::files());
}

#[test]
fn every_rule_of_the_rulebook_has_a_scenario_file() {
    let files = scenarios::files();
    let missing: Vec<&str> = rulebook::rules().map(|rule| rule.id).filter(|id| !files.contains(*id)).collect();
    assert!(missing.is_empty(), "no scenario file for {missing:?}");
}

#[test]
fn tests_are_named_after_their_rule() {
    for (rule, test) in PLAYED {
        let id = rule.to_lowercase().replace('-', "_");
        let group = ["house_", "effect_"].iter().find_map(|group| test.strip_prefix(group));
        assert!(test.starts_with(&id) || group == Some(&id), "{test} plays {rule}.json");
    }
}

#[test]
fn no_two_scenarios_share_a_name() {
    let mut seen = BTreeSet::new();
    let doubled: Vec<String> = scenarios::names().into_iter().filter(|name| !seen.insert(name.clone())).collect();
    assert!(doubled.is_empty(), "{doubled:?}");
}
