// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Effects} from "./Effects.sol";

/// Has two packed numbers with views, a slot without a view, and another contract to write to.
contract Drawer {
    event Moved(uint256 indexed a, uint256 b);

    uint128 public a;
    uint128 public b;
    uint256 private _hidden;
    Drawer private immutable _NEIGHBOR;

    constructor(Drawer neighbor) {
        _NEIGHBOR = neighbor;
    }

    function moveA(uint128 to) external {
        a = to;
        emit Moved(to, 7);
    }

    function moveBoth(uint128 to) external {
        (a, b) = (to, to);
        emit Moved(to, 7);
    }

    function moveHidden(uint128 to) external {
        (a, _hidden) = (to, to);
        emit Moved(to, 7);
    }

    function moveNeighbor(uint128 to) external {
        a = to;
        emit Moved(to, 7);
        _NEIGHBOR.moveQuietly(to);
    }

    function moveQuietly(uint128 to) public {
        a = to;
    }

    function moveAndBack(uint128 to) external {
        uint128 before = a;
        a = to;
        a = before;
    }
}

/// The helper accepts exactly the calls whose effects are stated in full.
contract EffectsTest is Effects {
    Drawer private drawer;

    function setUp() public {
        drawer = new Drawer(new Drawer(Drawer(address(0))));
    }

    function test_AllStated_Passes() public {
        this.check(abi.encodeCall(Drawer.moveA, (5)), 5, 7, 0);
        assertEq(drawer.a(), 5);
    }

    function test_AHiddenSlotAllowedFor_Passes() public {
        this.check(abi.encodeCall(Drawer.moveHidden, (5)), 5, 7, 1);
    }

    function test_AChangeTakenBack_IsNone() public {
        _watch(address(drawer), abi.encodeCall(drawer.a, ()));
        _assertNoEffects(address(this), address(drawer), abi.encodeCall(Drawer.moveAndBack, (5)));
    }

    function test_AnotherAnswer_Fails() public {
        vm.expectRevert(
            bytes(string.concat(vm.toString(abi.encodeCall(drawer.a, ())), ": 0x", _word(5), " != 0x", _word(6)))
        );
        this.check(abi.encodeCall(Drawer.moveA, (5)), 6, 7, 0);
    }

    function test_AViewOfTheSameSlotThatChanges_Fails() public {
        vm.expectRevert(
            bytes(string.concat(vm.toString(abi.encodeCall(drawer.b, ())), ": 0x", _word(5), " != 0x", _word(0)))
        );
        this.check(abi.encodeCall(Drawer.moveBoth, (5)), 5, 7, 0);
    }

    function test_ASlotWithoutAView_Fails() public {
        vm.expectRevert("slots changed that no changing view reads: 1 != 0");
        this.check(abi.encodeCall(Drawer.moveHidden, (5)), 5, 7, 0);
    }

    function test_ASlotOfAnotherContract_Fails() public {
        vm.expectRevert("slots changed that no changing view reads: 1 != 0");
        this.check(abi.encodeCall(Drawer.moveNeighbor, (5)), 5, 7, 0);
    }

    function test_AHiddenSlotThatDoesNotChange_Fails() public {
        vm.expectRevert("slots changed that no changing view reads: 0 != 1");
        this.check(abi.encodeCall(Drawer.moveA, (5)), 5, 7, 1);
    }

    function test_AMissingEvent_Fails() public {
        vm.expectRevert("number of events: 1 != 2");
        this.check(abi.encodeCall(Drawer.moveQuietly, (5)), 5, 7, 0);
    }

    function test_AnUnexpectedEvent_Fails() public {
        vm.expectRevert("an event is expected: 1 != 0");
        this.expectEventAndNothing();
        vm.expectRevert("number of events: 1 != 0");
        this.checkNothing(abi.encodeCall(Drawer.moveA, (0)));
    }

    function test_AnEventWithOtherData_Fails() public {
        vm.expectRevert(bytes(string.concat("data: 0x", _word(7), " != 0x", _word(8))));
        this.check(abi.encodeCall(Drawer.moveA, (5)), 5, 8, 0);
    }

    function test_AnAnswerGivenAlready_Fails() public {
        vm.expectPartialRevert(bytes4(keccak256("CheatcodeError(string)")));
        this.check(abi.encodeCall(Drawer.moveA, (0)), 0, 7, 0);
    }

    function test_ACallThatReverts_Fails() public {
        vm.expectRevert("the call reverts");
        this.checkNothing(hex"ffffffff");
    }

    /// External, so that its failure can be expected.
    function check(bytes calldata data, uint256 answer, uint256 eventData, uint256 hiddenSlots) external {
        _watch(address(drawer), abi.encodeCall(drawer.b, ()));
        _expectAnswer(address(drawer), abi.encodeCall(drawer.a, ()), answer);
        _expectHiddenSlots(hiddenSlots);
        _expectEvent(address(drawer));
        emit Drawer.Moved(5, eventData);
        _assertEffects(address(this), address(drawer), data);
    }

    function checkNothing(bytes calldata data) external {
        _assertNoEffects(address(this), address(drawer), data);
    }

    function expectEventAndNothing() external {
        _expectEvent(address(drawer));
        _assertNoEffects(address(this), address(drawer), abi.encodeCall(Drawer.moveAndBack, (5)));
    }

    function _word(uint256 value) private pure returns (string memory) {
        return vm.replace(vm.toString(bytes32(value)), "0x", "");
    }
}
